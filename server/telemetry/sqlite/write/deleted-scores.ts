/** Deletes the scores of deleted traces and spans. A score stays while another span has its id, because span ids are unique within a trace only. */
import type { OpenDatabase } from '../file/open.ts';
import { keyOf, resourceKey } from '../file/resource-key.ts';
import { runTimeSlice } from './time-slice.ts';
import type { ScoredResources } from './trace-removal.ts';

const stepRows = 2_000;

interface Candidate {
  scope: number;
  resource: unknown;
  last: number;
}

export class DeletedScores implements ScoredResources {
  readonly #db: OpenDatabase;
  readonly #add;
  readonly #hasScores;

  constructor(db: OpenDatabase) {
    this.#db = db;
    this.#hasScores = db.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM score)').pluck();
    this.#add = db.prepare(
      'INSERT OR IGNORE INTO deletion_score (scope, resource, last) SELECT scope, resource, max(id) FROM score WHERE scope = ? AND resource = ? GROUP BY 1, 2',
    );
  }

  /** Notes the scores of a resource for later, because other spans may have its id. */
  remove(scope: number, stored: unknown): false {
    if (this.#hasScores.get() === 1) this.#add.run(scope, typeof stored === 'string' ? resourceKey(stored) : stored);
    return false;
  }

  has(): true {
    return true;
  }

  /** Deletes what was noted, a step at a time. */
  *drop(): Generator<void> {
    const isNoted = this.#db.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM deletion_score)').pluck();
    if (isNoted.get() === 0) return;
    yield* this.#keepShared();
    const next = this.#db.prepare<[], Candidate>('SELECT scope, resource, last FROM deletion_score LIMIT 1');
    const dropScores = this.#db.prepare('DELETE FROM score WHERE scope = ? AND resource = ? AND id <= ?');
    const forget = this.#db.prepare('DELETE FROM deletion_score WHERE scope = ? AND resource = ?');
    const step = this.#db.transaction(() =>
      runTimeSlice(() => {
        const candidate = next.get();
        if (!candidate) return false;
        const { scope, resource, last } = candidate;
        dropScores.run(scope, resource, last);
        forget.run(scope, resource);
        return true;
      }),
    );
    while (step.immediate()) yield;
  }

  /** Span ids have no index (migration 4), so this reads the rows of all spans. */
  *#keepShared(): Generator<void> {
    const resource = keyOf('span.span_id');
    const forget = this.#db.prepare<[number, number]>(
      `DELETE FROM deletion_score WHERE (scope, resource) IN (SELECT scope, ${resource} FROM span WHERE id > ? AND id <= ?)`,
    );
    const newest = this.#db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM span').pluck().get() ?? 0;
    for (let at = 0; at < newest; at += stepRows) {
      this.#db.transaction(() => forget.run(at, Math.min(at + stepRows, newest))).immediate();
      yield;
    }
  }
}

/**
 * Number of spans with each scored span id. Span ids are unique within a trace only, and readable ones (`root`, `span-1`) occur in many, so a
 * score is removed with the last of them. Span ids have no index (migration 4), so this scans the spans, some rows at a time.
 */
import { storedIdKey } from '../file/id-codec.ts';
import type { OpenDatabase } from '../file/open.ts';
import { keyOf, resourceKey } from '../file/resource-key.ts';

const stepRows = 2_000;

interface ScoredSpan {
  scope: number;
  resource: unknown;
}

export class ScoreTargets {
  readonly #newest;
  readonly #scored;
  /** Scores with a higher id belong to spans that stay. */
  readonly #lastScore: number;
  readonly #counts = new Map<string, number>();
  /** Last counted row. */
  #row = 0;

  constructor(db: OpenDatabase) {
    this.#newest = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM span').pluck();
    const resource = keyOf('span.span_id');
    this.#scored = db.prepare<[{ from: number; to: number; lastScore: number }], ScoredSpan>(
      `SELECT scope, ${resource} AS resource FROM span WHERE id > @from AND id <= @to
         AND EXISTS (SELECT 1 FROM score WHERE score.scope = span.scope AND score.resource = ${resource} AND score.id <= @lastScore)`,
    );
    this.#lastScore = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM score').pluck().get() ?? 0;
  }

  /** Counts further spans. False when all are counted. */
  step(): boolean {
    const newest = this.#newest.get() ?? 0;
    if (this.#row >= newest) return false;
    const to = this.#lastScore === 0 ? newest : Math.min(this.#row + stepRows, newest);
    if (this.#lastScore > 0)
      for (const { scope, resource } of this.#scored.iterate({ from: this.#row, to, lastScore: this.#lastScore })) {
        const key = keyFor(scope, resource);
        this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
      }
    this.#row = to;
    return true;
  }

  /** Removes a span from the count. @returns whether its scores must be removed: it has some, and no other span has its id */
  remove(scope: number, spanId: unknown): boolean {
    const key = keyFor(scope, spanId);
    const count = this.#counts.get(key);
    if (count === undefined) return false;
    if (count > 1) this.#counts.set(key, count - 1);
    else this.#counts.delete(key);
    return count === 1;
  }

  /** Whether there is a span with this id that has scores. */
  has(scope: number, id: unknown): boolean {
    return this.#counts.has(keyFor(scope, id));
  }
}

const keyFor = (scope: number, stored: unknown): string =>
  `${scope} ${storedIdKey(typeof stored === 'string' ? resourceKey(stored) : stored)}`;

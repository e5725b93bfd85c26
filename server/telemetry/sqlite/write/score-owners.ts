/**
 * How many spans have an id that has scores. An id of a span is unique in its trace only, and readable ones (`root`, `span-1`) are in many: a score
 * goes with the last of them. Ids of spans have no index, on purpose (migration 4), so the spans are gone over, some rows at a time.
 */
import { storedIdKey } from '../id-codec.ts';
import type { OpenDatabase } from '../open.ts';
import { keyOf, resourceKey } from '../resource-key.ts';

const stepRows = 2_000;

interface Owner {
  scope: number;
  resource: unknown;
}

export class ScoreOwners {
  readonly #newest;
  readonly #scored;
  /** Scores that come later are of spans that are there, whatever goes now. */
  readonly #lastScore: number;
  readonly #counts = new Map<string, number>();
  /** Spans up to this row are counted. */
  #row = 0;

  constructor(db: OpenDatabase) {
    this.#newest = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM span').pluck();
    const resource = keyOf('span.span_id');
    this.#scored = db.prepare<[{ from: number; to: number; lastScore: number }], Owner>(
      `SELECT scope, ${resource} AS resource FROM span WHERE id > @from AND id <= @to
         AND EXISTS (SELECT 1 FROM score WHERE score.scope = span.scope AND score.resource = ${resource} AND score.id <= @lastScore)`,
    );
    this.#lastScore = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM score').pluck().get() ?? 0;
  }

  /** Counts some that are not counted yet. False when there are none. */
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

  /** A span goes. @returns whether its scores go with it: it has some, and no other span has its id */
  leave(scope: number, spanId: unknown): boolean {
    const key = keyFor(scope, spanId);
    const count = this.#counts.get(key);
    if (count === undefined) return false;
    if (count > 1) this.#counts.set(key, count - 1);
    else this.#counts.delete(key);
    return count === 1;
  }

  /** Whether a span has this id, and scores. */
  has(scope: number, id: unknown): boolean {
    return this.#counts.has(keyFor(scope, id));
  }
}

const keyFor = (scope: number, stored: unknown): string =>
  `${scope} ${storedIdKey(typeof stored === 'string' ? resourceKey(stored) : stored)}`;

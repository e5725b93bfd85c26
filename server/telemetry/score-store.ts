import type { Score, ScoreQuery } from '../../shared/contract/scores.ts';
import type { EnvironmentStamp } from '../platform/environment-stamp.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded, EncodedPage } from './encoded.ts';

/**
 * Scores stand beside traces and spans and change neither. They are append-only: `insert` never replaces an earlier score of the
 * same name on the same resource, and a score may come before what it scores.
 *
 * A resource is named as its sender named it; the spellings that ingest takes for one id are one resource here too.
 */
export interface ScoreStore {
  /**
   * Keeps all of them or none, durably, as `SpanWriter.write` does, and says how many. One whose id is stored is not stored again.
   * @throws StorageError when nothing was stored; sending them again later is safe
   */
  insert(scope: Scope, scores: readonly Score[], stamp?: EnvironmentStamp | null): Promise<number>;
  /** Null when the id is unknown or belongs to another scope. */
  find(scope: Scope, id: string): Promise<Encoded<Score> | null>;
  /**
   * Newest first; ties break on arrival, so pages never overlap. `total` counts all matches, read in the same snapshot as the page.
   * What a resource is, and to which session it belongs, is decided by the spans that are stored at that moment.
   */
  list(scope: Scope, query: ScoreQuery): Promise<EncodedPage<Score>>;
  /** Each name once, in code-unit order. */
  names(scope: Scope): Promise<Encoded<string[]>>;
  /** False when the id is unknown or belongs to another scope. */
  remove(scope: Scope, id: string): Promise<boolean>;
}

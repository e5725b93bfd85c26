import type { Score, ScoreQuery } from '../../shared/contract/evaluation/scores.ts';
import type { EnvironmentAttribution } from '../platform/environment-attribution.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded, EncodedPage } from './encoded.ts';

/**
 * Scores of traces and spans. They are append-only: `insert` never replaces an earlier score of the same name on the same resource, and a
 * score may arrive before its resource. Ids are compared as in ingest: all accepted spellings of an id mean one resource.
 */
export interface ScoreStore {
  /**
   * Stores all scores or none, durably, like `SpanWriter.write`, and returns the number of new ones. A score with a known id is skipped.
   * @throws StorageError when nothing was stored; it is safe to send them again
   */
  insert(scope: Scope, scores: readonly Score[], attribution?: EnvironmentAttribution | null): Promise<number>;
  /** Null when the id is unknown or belongs to another scope. */
  find(scope: Scope, id: string): Promise<Encoded<Score> | null>;
  /**
   * Newest first; ties break on arrival, so pages never overlap. `total` counts all matches, from the same snapshot as the page. The stored
   * spans decide the kind of a resource and its session at the time of the call.
   */
  list(scope: Scope, query: ScoreQuery): Promise<EncodedPage<Score>>;
  /** Each name once, in code-unit order. */
  names(scope: Scope): Promise<Encoded<string[]>>;
  /** False when the id is unknown or belongs to another scope. */
  remove(scope: Scope, id: string): Promise<boolean>;
}

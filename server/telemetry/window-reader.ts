import type { Scope } from '../platform/scope.ts';
import type { Encoded } from './encoded.ts';

/** A stretch of time, and whose part of it. */
export interface WatchedWindow {
  from_ms: number;
  /** Excluded. */
  to_ms: number;
  /** Name of an environment; null for the whole app. */
  environment: string | null;
}

/** What alerts compare with their thresholds: sums over a few minutes that have just passed. */
export interface WindowReader {
  /**
   * Calls of models that ended in the window: the slow ones that are looked for began before it. Those that took longer than an hour are
   * not found. Calls that go on, and those that only repeat the usage of calls below them, are not counted.
   */
  requests(scope: Scope, window: WatchedWindow): Promise<Encoded<RequestSums>>;
  /** Scores of a name that were made in the window. Of an environment: those of its traces of the last day, and of their spans. */
  scores(scope: Scope, window: WatchedWindow, name: string): Promise<Encoded<ScoreSums>>;
}

export interface RequestSums {
  count: number;
  errors: number;
  /** Of all together. */
  latency_ms: number;
  cost: number;
}

/** Null where there is no score. */
export interface ScoreSums {
  count: number;
  mean: number | null;
  min: number | null;
  max: number | null;
}

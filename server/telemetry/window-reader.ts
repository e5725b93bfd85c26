import type { Scope } from '../platform/scope.ts';
import type { Encoded } from './encoded.ts';

/** Time window of an app, optionally of one environment. */
export interface WatchedWindow {
  from_ms: number;
  /** Excluded. */
  to_ms: number;
  /** Name of an environment; null for the whole app. */
  environment: string | null;
}

/** Values that alerts compare with their thresholds: sums over the last few minutes. */
export interface WindowReader {
  /**
   * Model calls that ended in the window, including slow ones that began before it, up to an hour. Running calls, and spans that only repeat
   * the usage of calls below them, are not counted.
   */
  requests(scope: Scope, window: WatchedWindow): Promise<Encoded<RequestSums>>;
  /** Number of runs that were found to be running away in the window. */
  runaways(scope: Scope, window: WatchedWindow): Promise<Encoded<number>>;
  /** Scores of a name created in the window. For an environment: those of its traces of the last day, and of their spans. */
  scores(scope: Scope, window: WatchedWindow, name: string): Promise<Encoded<ScoreSums>>;
  /** The same sums for each minute with calls, by their ends; the first minute begins with the window. */
  requestMinutes(scope: Scope, window: WatchedWindow): Promise<Encoded<(InMinute & RequestSums)[]>>;
  /** The runs that were found in each minute: a run may be found in several. */
  runawayMinutes(scope: Scope, window: WatchedWindow): Promise<Encoded<(InMinute & { trace: string })[]>>;
  scoreMinutes(scope: Scope, window: WatchedWindow, name: string): Promise<Encoded<(InMinute & ScoreSums)[]>>;
}

export interface InMinute {
  /** Counted from the start of the window. */
  minute: number;
}

export interface RequestSums {
  count: number;
  errors: number;
  /** Sum over all calls. */
  latency_ms: number;
  cost: number;
}

/** Null without scores. */
export interface ScoreSums {
  count: number;
  mean: number | null;
  min: number | null;
  max: number | null;
}

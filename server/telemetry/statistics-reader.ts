import type { MetricsReport } from '../../shared/contract/metrics.ts';
import type { ScoreAggregation } from '../../shared/contract/score-analytics.ts';
import type { Activity, ActivityQuery, DistributionQuery, ScoreDistribution } from '../../shared/contract/viewer-statistics.ts';
import type { Storage } from '../../shared/contract/viewer-storage.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded } from './encoded.ts';
import type { Window } from './search-reader.ts';

/** What the file itself tells. */
export type StoredStorage = Omit<Storage, 'compaction' | 'damage'>;

/** Sums over what is stored at the moment of the call. Nothing is sampled; what takes long is answered in parts. */
export interface StatisticsReader {
  /** Newest steps first, as many as there is time for, at least one. A trace counts in the step that it is listed in. */
  activity(scope: Scope, query: ActivityQuery): Promise<Encoded<Activity>>;
  scores(scope: Scope, query: DistributionQuery): Promise<Encoded<ScoreDistribution>>;
  storage(scope: Scope): Promise<Encoded<StoredStorage>>;
  /** How many traces, about, arrived before a moment. */
  older(scope: Scope, before_ms: number): Promise<Encoded<{ traces: number }>>;
}

/** Sums over what is stored at the moment of the call. Nothing is sampled. */
export interface MetricsReader {
  /**
   * Calls of models by the hour of UTC in which they began. A call that only repeats the usage of calls below it is not counted beside them.
   * @param extended with means for each request, and how many models were called
   */
  requests(scope: Scope, window: Window, extended: boolean): Promise<Encoded<MetricsReport>>;
  /** All scores of each name, in code-unit order. Days are whole days of UTC, `YYYY-MM-DD`, both included. */
  scores(scope: Scope, days: { start_date?: string | undefined; end_date?: string | undefined }): Promise<Encoded<ScoreAggregation[]>>;
}

/** What a tenant has written under an allowance, over all its apps. */
export interface Usage {
  /** Stored for the first time in the month that was asked for. */
  spans: number;
  /** Of records and long texts, before compression; since the beginning. */
  bytes: number;
}

export interface UsageReader {
  /** @param at_ms a moment of the month, UTC */
  of(scope: Scope, at_ms: number): Promise<Encoded<Usage>>;
}

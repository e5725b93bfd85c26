import type { ScoreAggregation } from '../../shared/contract/evaluation/score-analytics.ts';
import type { MetricsReport } from '../../shared/contract/tracing/metrics.ts';
import type { Activity, ActivityQuery } from '../../shared/contract/viewer/activity.ts';
import type { DistributionQuery, ScoreDistribution } from '../../shared/contract/viewer/viewer-statistics.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded } from './encoded.ts';
import type { Window } from './search-reader.ts';

/** Sums over the data stored at the time of the call. */
export interface StatisticsReader {
  /** Of the traces of a list, all or the newest as time allows. A trace, with its calls, counts in the step in which lists show it. */
  activity(scope: Scope, query: ActivityQuery): Promise<Encoded<Activity>>;
  scores(scope: Scope, query: DistributionQuery): Promise<Encoded<ScoreDistribution>>;
}

/** Exact sums over the spans stored at the time of the call. */
export interface MetricsReader {
  /**
   * Model calls by the UTC hour in which they began. A call that only repeats the usage of calls below it is not counted in addition to them.
   * @param extended adds the means per request and the number of models
   */
  requests(scope: Scope, window: Window, extended: boolean): Promise<Encoded<MetricsReport>>;
  /** All scores of each name, in code-unit order. Days are complete UTC days, `YYYY-MM-DD`, both included. */
  scores(scope: Scope, days: { start_date?: string | undefined; end_date?: string | undefined }): Promise<Encoded<ScoreAggregation[]>>;
}

/** Quota usage of a tenant, over all its apps. */
export interface Usage {
  /** Spans first stored in the requested month. */
  spans: number;
  /** Bytes of records and long texts since the beginning, before compression. */
  bytes: number;
}

export interface UsageReader {
  /** @param at_ms any time in the month, UTC */
  of(scope: Scope, at_ms: number): Promise<Encoded<Usage>>;
}

import type { MetricsReport } from '../../shared/contract/metrics.ts';
import type { ScoreAggregation } from '../../shared/contract/score-analytics.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded } from './encoded.ts';
import type { Window } from './search-reader.ts';

/** Exact sums over the spans stored at the moment of the call. */
export interface MetricsReader {
  /**
   * Calls of models by the hour of UTC in which they began. A call that only repeats the usage of calls below it is not counted beside them.
   * @param extended with means for each request, and how many models were called
   */
  requests(scope: Scope, window: Window, extended: boolean): Promise<Encoded<MetricsReport>>;
  /** All scores of each name, in code-unit order. Days are whole days of UTC, `YYYY-MM-DD`, both included. */
  scores(scope: Scope, days: { start_date?: string | undefined; end_date?: string | undefined }): Promise<Encoded<ScoreAggregation[]>>;
}

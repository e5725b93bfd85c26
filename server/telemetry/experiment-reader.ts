import type { Baseline, BaselineQuery, ExperimentDetail, ExperimentQuery, ExperimentSummary } from '../../shared/contract/experiments.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded, Page } from './encoded.ts';

/** Experiments are never stored: each is all traces that share a `dataset_run_id` at the moment of the call, with their scores. */
export interface ExperimentReader {
  /** Newest first by the start of the first item; ties break on the id. */
  list(scope: Scope, query: ExperimentQuery): Promise<Page<ExperimentSummary>>;
  /** Items by the start of their root span. Null when no trace has that run id. */
  find(scope: Scope, runId: string): Promise<Encoded<ExperimentDetail> | null>;
  /** The newest run of that experiment at that tree, else its newest run; one row for each item and score. */
  baseline(scope: Scope, query: BaselineQuery): Promise<Encoded<Baseline>>;
}

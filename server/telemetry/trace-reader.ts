import type {
  Baseline,
  BaselineQuery,
  ExperimentDetail,
  ExperimentQuery,
  ExperimentSummary,
} from '../../shared/contract/evaluation/experiments.ts';
import type { ComparedGroups, ComparedGroupsQuery } from '../../shared/contract/tracing/compared-groups.ts';
import type { Comparison, ComparisonQuery } from '../../shared/contract/tracing/comparison.ts';
import type { ContextWindows } from '../../shared/contract/tracing/context-windows.ts';
import type { ErrorGroups, ErrorGroupsQuery } from '../../shared/contract/tracing/error-groups.ts';
import type { SeenBefore } from '../../shared/contract/tracing/seen-before.ts';
import type { SessionItem, SessionQuery, SessionTrace } from '../../shared/contract/tracing/sessions.ts';
import type { TraceFacets } from '../../shared/contract/tracing/trace-facets.ts';
import type { ListedTraces, ListedTracesQuery, TracesNarrowing, TracesOverTime } from '../../shared/contract/tracing/trace-list.ts';
import type { TraceMatch, TraceMatchesQuery } from '../../shared/contract/tracing/trace-matches.ts';
import type { TraceOutline } from '../../shared/contract/tracing/trace-outline.ts';
import type { GraphNode, TraceDetail, TraceItem, TraceQuery } from '../../shared/contract/tracing/traces.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded, EncodedPage } from './encoded.ts';

/** Optional parts of a trace. */
export interface TraceFields {
  graph: boolean;
  scores: boolean;
}

export interface TraceReader {
  /** Ties break on arrival, so pages never overlap. `total` counts all matches, read in the same snapshot as the page. */
  list(scope: Scope, query: TraceQuery): Promise<EncodedPage<TraceItem>>;
  /** All spans, oldest first; null when no span of that trace is stored. */
  find(scope: Scope, traceId: string, fields: TraceFields): Promise<Encoded<TraceDetail> | null>;
  /** Figures of all spans in columns, oldest first; null when no span of that trace is stored. */
  outline(scope: Scope, traceId: string): Promise<Encoded<TraceOutline> | null>;
  /** Empty when the trace is unknown or has no graph. */
  graph(scope: Scope, traceId: string): Promise<Encoded<GraphNode[]>>;
}

export interface SessionReader {
  list(scope: Scope, query: SessionQuery): Promise<EncodedPage<SessionItem>>;
  /** Oldest first, each with its spans; empty when the session is unknown. */
  traces(scope: Scope, sessionId: string): Promise<Encoded<SessionTrace[]>>;
}

/** Trace list of the viewer, with the same filters as `TraceReader.list`. */
export interface TraceListReader {
  /**
   * With `arrived`, traces that arrived later are left out; the others MAY have new spans. With `arrived_after`, the others are left out. These
   * cursors are valid wherever the same data is opened; null for one that does not come from a list of the app.
   */
  list(scope: Scope, query: ListedTracesQuery): Promise<Encoded<ListedTraces> | null>;
  /** At most `buckets` + 1 steps, aligned to the clock. */
  overTime(scope: Scope, query: TracesNarrowing & { buckets: number }): Promise<Encoded<TracesOverTime>>;
  /** MAY count the newest traces only, and reports that. Most frequent values first. */
  facets(scope: Scope, query: TracesNarrowing & { limit: number }): Promise<Encoded<TraceFacets>>;
  /** At most one for each trace, in the order of the ids. MAY leave out traces for which the time did not last. */
  matches(scope: Scope, query: TraceMatchesQuery): Promise<Encoded<TraceMatch[]>>;
  /** In code point order. Empty for fields without stored values. */
  values(scope: Scope, query: { field: string; prefix: string; limit: number }): Promise<Encoded<string[]>>;
}

export interface ErrorGroupReader {
  /** MAY look at the newest traces only, and reports that. Most errors first. */
  list(scope: Scope, query: ErrorGroupsQuery): Promise<Encoded<ErrorGroups>>;
}

export interface ComparisonReader {
  /** Null when one of the traces is unknown. MAY compare the first steps only, and reports that. */
  find(scope: Scope, query: ComparisonQuery): Promise<Encoded<Comparison> | null>;
  /**
   * The newest traces of each group. Unknown ids are left out, and traces of both groups are in the first. Without a second group it is the newest
   * traces without errors that have a name of the first. MAY compare the first steps only, and reports that.
   */
  groups(scope: Scope, query: ComparedGroupsQuery): Promise<Encoded<ComparedGroups>>;
  /** Null when the trace is unknown. MAY look at the newest traces only, and reports that. */
  seenBefore(scope: Scope, traceId: string): Promise<Encoded<SeenBefore> | null>;
}

export interface ContextReader {
  /** Null when the trace is unknown. MAY read the first calls only, and reports that. */
  find(scope: Scope, traceId: string): Promise<Encoded<ContextWindows> | null>;
}

/** Experiments are never stored: each consists of all traces with the same `dataset_run_id` at the time of the call, with their scores. */
export interface ExperimentReader {
  /** Newest first by the start of the first item; ties break on the id. */
  list(scope: Scope, query: ExperimentQuery): Promise<EncodedPage<ExperimentSummary>>;
  /** Items by the start of their root span. Null when no trace has that run id. */
  find(scope: Scope, runId: string): Promise<Encoded<ExperimentDetail> | null>;
  /** Newest run of the experiment at the given tree, else its newest run; one row for each item and score. */
  baseline(scope: Scope, query: BaselineQuery): Promise<Encoded<Baseline>>;
}

import type { TraceOutline } from '../../shared/contract/trace-outline.ts';
import type { GraphNode, TraceDetail, TraceItem, TraceQuery } from '../../shared/contract/traces.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded, Page } from './encoded.ts';

/** Optional parts of a trace. */
export interface TraceFields {
  graph: boolean;
  scores: boolean;
}

export interface TraceReader {
  /** Ties break on arrival, so pages never overlap. `total` counts all matches, read in the same snapshot as the page. */
  list(scope: Scope, query: TraceQuery): Promise<Page<TraceItem>>;
  /** All spans, oldest first; null when no span of that trace is stored. */
  find(scope: Scope, traceId: string, fields: TraceFields): Promise<Encoded<TraceDetail> | null>;
  /** The numbers of all spans in columns, oldest first; null when no span of that trace is stored. */
  outline(scope: Scope, traceId: string): Promise<Encoded<TraceOutline> | null>;
  /** Empty when the trace is unknown or has no graph. */
  graph(scope: Scope, traceId: string): Promise<Encoded<GraphNode[]>>;
}

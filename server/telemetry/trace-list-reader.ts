import type { ListedTraces, ListedTracesQuery, TraceFacets, TracesNarrowing, TracesOverTime } from '../../shared/contract/trace-list.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded } from './encoded.ts';

/** Traces list of the viewer, narrowed like `TraceReader.list`. */
export interface TraceListReader {
  /** With `arrived`, later rows are left out; the others MAY have grown. */
  list(scope: Scope, query: ListedTracesQuery): Promise<Encoded<ListedTraces>>;
  /** At most `buckets` + 1 steps, which begin where a clock's would. */
  overTime(scope: Scope, query: TracesNarrowing & { buckets: number }): Promise<Encoded<TracesOverTime>>;
  /** MAY count the newest traces only, and reports that. Most frequent values first. */
  facets(scope: Scope, query: TracesNarrowing & { limit: number }): Promise<Encoded<TraceFacets>>;
  /** In code point order. Empty for fields without stored values. */
  values(scope: Scope, query: { field: string; prefix: string; limit: number }): Promise<Encoded<string[]>>;
}

import type { ListedTraces, ListedTracesQuery, TraceFacets, TracesNarrowing, TracesOverTime } from '../../shared/contract/trace-list.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded } from './encoded.ts';

/** The traces list of the viewer. What is narrowed is narrowed as `TraceReader.list` does it. */
export interface TraceListReader {
  /** With `arrived`, rows that came later are left out; those that are left MAY have grown. */
  list(scope: Scope, query: ListedTracesQuery): Promise<Encoded<ListedTraces>>;
  /** At most `buckets` + 1 steps, which begin where a clock's would. */
  overTime(scope: Scope, query: TracesNarrowing & { buckets: number }): Promise<Encoded<TracesOverTime>>;
  /** MAY count the newest traces only, and says so. The commonest values first. */
  facets(scope: Scope, query: TracesNarrowing & { limit: number }): Promise<Encoded<TraceFacets>>;
  /** In order of their characters. Fields whose values are not kept have none. */
  values(scope: Scope, query: { field: string; prefix: string; limit: number }): Promise<Encoded<string[]>>;
}

/** The groups of the store that list traces. */
import { Encoded } from '../../encoded.ts';
import type { TraceListReader } from '../../trace-reader.ts';
import { filterValues } from './filter-values.ts';
import { ListedTraceReads } from './listed-traces.ts';
import type { ReadContext } from './read-context.ts';
import { TraceFacetReads } from './trace-facets.ts';
import { TracesOverTimeReads } from './traces-over-time.ts';

export function traceListReads(context: ReadContext): TraceListReader {
  const listed = new ListedTraceReads(context);
  const overTime = new TracesOverTimeReads(context);
  const facets = new TraceFacetReads(context);
  return {
    list: async (scope, query) => {
      const found = await listed.list(scope, query);
      return found && Encoded.of(found);
    },
    overTime: async (scope, query) => Encoded.of(await overTime.overTime(scope, query)),
    facets: async (scope, query) => Encoded.of(await facets.facets(scope, query)),
    matches: (scope, query) => context.over(scope, query.trace_ids).traceList.matches(scope, query),
    values: async (scope, query) => Encoded.of(await filterValues(context, scope, query)),
  };
}

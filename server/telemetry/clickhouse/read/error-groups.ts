/** The failures in the newest traces of a list, those that are the same counted together. */
import type { ErrorGroups, ErrorGroupsQuery } from '../../../../shared/contract/tracing/error-groups.ts';
import type { Scope } from '../../../platform/scope.ts';
import { Encoded } from '../../encoded.ts';
import { errorGroupOf, errorsMax, groupErrors, rangeOf, tracesMax, tracesOf, withErrors } from '../../error-grouping.ts';
import { errorTypesOf } from './error-types.ts';
import { causesIn } from './failed-spans.ts';
import type { ReadContext } from './read-context.ts';
import { newestTraces } from './trace-page.ts';

export async function listErrorGroups(context: ReadContext, scope: Scope, query: ErrorGroupsQuery): Promise<Encoded<ErrorGroups>> {
  const { keys, isComplete } = await newestTraces(context, scope, { ...query, filter: withErrors(query.filter) }, tracesMax);
  const ids = keys.slice(0, tracesMax).map(({ trace_id }) => trace_id);
  const { errors, isWhole } = await causesIn(context, scope, ids, errorsMax);
  const { groups, more } = groupErrors(errors);
  const newest = groups.map(({ newest: { trace, span_id } }) => ({ trace_id: trace, span_id }));
  const { types } = await errorTypesOf(context, scope, newest);
  const range = rangeOf(query);
  return Encoded.of({
    groups: groups.map((group, index) => errorGroupOf(group, range, types[index] ?? '')),
    more,
    errors: errors.length,
    traces: tracesOf(errors),
    is_whole: isComplete && keys.length <= tracesMax && isWhole,
  });
}

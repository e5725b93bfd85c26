/** The failures in the newest traces of a list, those that are the same counted together. */
import type { ErrorGroups, ErrorGroupsQuery } from '../../../../shared/contract/tracing/error-groups.ts';
import { errorGroupOf, errorsMax, groupErrors, rangeOf, tracesMax, tracesOf, withErrors } from '../../error-grouping.ts';
import { type SpanPlace, spanPlaceColumns } from '../signatures/span-bytes.ts';
import { type ErrorRow, FailedSpans } from './failed-spans.ts';
import { newestTraces } from './newest-traces.ts';
import type { ReadContext } from './read-context.ts';
import { SpanContents } from './span-contents.ts';

export class ErrorGroupReads {
  readonly #context: ReadContext;
  readonly #contents: SpanContents;
  readonly #failedSpans;
  readonly #place;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#contents = new SpanContents(context);
    this.#failedSpans = new FailedSpans(context, errorsMax);
    this.#place = context.db.prepare<[number], SpanPlace & { id: number }>(
      `SELECT span.id, ${spanPlaceColumns} FROM span WHERE span.id = ?`,
    );
  }

  list(scope: number, query: ErrorGroupsQuery): ErrorGroups {
    const { limit } = this.#context;
    const { ids, isComplete } = newestTraces(this.#context, scope, { ...query, filter: withErrors(query.filter) }, tracesMax);
    const { errors, isWhole } = this.#failedSpans.causesIn(ids.slice(0, tracesMax));
    const { groups, more } = groupErrors(errors, () => limit.check());
    const range = rangeOf(query);
    return {
      groups: groups.map((group) => errorGroupOf(group, range, this.#typeOf(group.newest))),
      more,
      errors: errors.length,
      traces: tracesOf(errors),
      is_whole: isComplete && ids.length <= tracesMax && isWhole,
    };
  }

  #typeOf({ id }: ErrorRow): string {
    const place = this.#place.get(id);
    return (place && this.#contents.textsWith(place, [], null)?.errorType) || '';
  }
}

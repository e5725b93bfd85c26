import type { SearchBody } from '../../../shared/contract/tracing/search.ts';
import type { Resource } from '../../../shared/filter/fields.ts';
import { FilterError } from '../../../shared/filter/filter-error.ts';
import { filterSchema } from '../../../shared/filter/filter-schema.ts';
import type { Filter } from '../../../shared/filter/filter-tree.ts';
import { type FilterList, parseFilterList } from '../../../shared/filter/parse-json.ts';
import { fail } from '../../app/fail.ts';
import { asPage, defineModule } from '../../app/module.ts';
import type { Window } from '../../telemetry/search-reader.ts';

const dayMs = 24 * 3600 * 1000;
/** Default and maximum of the search window. */
const windowDays = { usual: 7, max: 90 } as const;

export const searchModule = defineModule({
  group: 'search',
  needs: ['search', 'clock'],
  build: ({ search, clock }) => ({
    traces: async ({ scope }, { body }) => asPage(body, await search.traces(scope, searchOf('traces', body, clock.now()))),
    spans: async ({ scope }, { body }) => asPage(body, await search.spans(scope, searchOf('spans', body, clock.now()))),
    scores: async ({ scope }, { body }) => asPage(body, await search.scores(scope, searchOf('scores', body, clock.now()))),
  }),
});

function searchOf<B extends SearchBody<Resource>>(resource: Resource, { start_date, end_date, filters, ...page }: B, now: number) {
  const window = windowOf(start_date, end_date, now);
  return { ...page, window, filter: filterOf(resource, filters ?? []) };
}

function windowOf(start_date: string | undefined, end_date: string | undefined, now: number): Window {
  const to = end_date === undefined ? now : Date.parse(end_date);
  const from = start_date === undefined ? now - windowDays.usual * dayMs : Date.parse(start_date);
  if (from > to) refuseWindow(start_date === undefined ? 'must not be before the start, 7 days ago' : 'must not be before start_date');
  if (to - from > windowDays.max * dayMs) refuseWindow(`must be at most ${windowDays.max} days after start_date`);
  return { from, to };
}

const refuseWindow = (end_date: string): never => fail('invalid_request_body', 'Invalid request body', { details: { end_date } });

function filterOf(resource: Resource, list: FilterList): Filter {
  try {
    return parseFilterList(resource, list);
  } catch (error) {
    if (error instanceof FilterError) fail('invalid_filter', error.message, error.extras());
    throw error;
  }
}

export const filterSchemaModule = defineModule({
  group: 'filterSchema',
  needs: [],
  build: () => ({ get: () => ({ data: { resources: filterSchema() } }) }),
});

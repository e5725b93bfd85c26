/** Completions for a position in the filter: fields and operators from the gateway, and values of stored traces. */
import type { QueryClient } from '@tanstack/react-query';
import type { FacetName } from '../../../shared/contract/tracing/trace-facets.ts';
import { spellOperator } from '../../../shared/filter/spelling.ts';
import { gateway } from '../../api/client.ts';
import { type FilterPlace, surroundings } from '../../model/filter/filter-place.ts';
import { spellValue } from '../../model/filter/filter-text.ts';
import { searchedFilter } from '../../model/filter/searched-filter.ts';
import { count } from '../../model/text/format.ts';
import { changedView, type TracesView } from './url.ts';
import { facetsQuery } from './use-facets.ts';

export interface Suggestion {
  /** Text to insert. */
  text: string;
  /** Description shown beside it. */
  about?: string;
  kind: 'field' | 'operator' | 'value' | 'word' | 'condition';
}

/** What an empty filter shows. */
export const filterExample = 'Search, for example: timeout tool:web_search cost > 0.01';

const schemaOf = (queries: QueryClient) =>
  queries.fetchQuery({
    queryKey: ['filter-schema'],
    queryFn: async () => (await gateway.filterSchema.get({})).data.resources.traces,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Number of suggested values. If there are more, only those with the typed prefix are found. */
export const valuesMax = 50;

/** Counts may be this old. */
const facetsStaleMs = 10_000;
/** Facets of which whole conditions are suggested. */
const narrowing: readonly FacetName[] = ['error', 'tool', 'agent', 'model', 'service', 'environment', 'user_id', 'tags'];
const conditionsMax = 6;

const valuesOf = async (field: string, prefix: string) =>
  (await gateway.traceList.values({ query: { field, prefix, limit: valuesMax } })).data;

const kindLabels: Record<string, string> = { string: 'text', numeric: 'number', status: 'OK or ERROR', tags: 'tags', words: 'any text' };

async function fields(queries: QueryClient, typed: string): Promise<Suggestion[]> {
  const schema = await schemaOf(queries);
  const named = schema.fields.map(({ name, kind }): Suggestion => ({ text: name, about: kindLabels[kind] ?? kind, kind: 'field' }));
  const [keys, scores] = await Promise.all([
    valuesOf('metadata', typed.startsWith('metadata.') ? typed.slice('metadata.'.length) : ''),
    valuesOf('score', typed.startsWith('score__') ? typed.slice('score__'.length) : ''),
  ]);
  const dynamic = schema.dynamic_fields.flatMap(({ pattern, key_pattern, kind }): Suggestion[] => {
    const prefix = pattern.slice(0, pattern.indexOf('<'));
    const isKey = new RegExp(key_pattern);
    const names = kind === 'metadata' ? keys : scores;
    return names.filter((key) => isKey.test(key)).map((key) => ({ text: `${prefix}${key}`, about: kind, kind: 'field' }));
  });
  return [...named, ...dynamic];
}

async function operators(queries: QueryClient, field: string): Promise<Suggestion[]> {
  const schema = await schemaOf(queries);
  const known =
    schema.fields.find(({ name }) => name === field) ??
    schema.dynamic_fields.find(({ pattern }) => field.startsWith(pattern.slice(0, pattern.indexOf('<'))));
  return (known?.operators ?? []).map((operator) => ({ text: spellOperator(operator, 'text'), kind: 'operator' }));
}

/** What is suggested for: the text of the field, the caret in it, and the list that it narrows. */
export interface Draft {
  text: string;
  at: number;
  view: TracesView;
}

const facetsOf = (queries: QueryClient, { text, at, view }: Draft, place: FilterPlace) => {
  const { filter, problem } = searchedFilter(surroundings(text, at, place));
  return queries.fetchQuery({
    ...facetsQuery(changedView(view, { filter: problem ? undefined : filter }), valuesMax),
    staleTime: facetsStaleMs,
  });
};

async function values(queries: QueryClient, draft: Draft, place: FilterPlace & { expects: 'value' }): Promise<Suggestion[]> {
  const { field, typed } = place;
  const facets = await facetsOf(queries, draft, place);
  const facet = facets.facets.find(({ name }) => name === field);
  // Values that no counted trace has would leave none; of more traces than were counted, and of a rare value, all values are known.
  if (facet && facets.is_whole && facet.more === 0) {
    const found = facet.values.filter(({ value }) => (field !== 'status' || value !== 'UNSET') && value.startsWith(typed));
    return found.map(({ value, count: traces }) => ({ text: spellValue(value), about: count(traces), kind: 'value' }));
  }
  const found = field === 'status' ? ['OK', 'ERROR'] : await valuesOf(field, typed);
  return found.map((value) => ({ text: spellValue(value), kind: 'value' }));
}

/** Whole conditions that narrow the list, with the number of traces that each leaves: at most two of a field. */
async function conditions(queries: QueryClient, draft: Draft, place: FilterPlace): Promise<Suggestion[]> {
  const { facets, looked_at, is_whole } = await facetsOf(queries, draft, place);
  if (!is_whole) return [];
  return facets
    .filter(({ name }) => narrowing.includes(name))
    .flatMap(({ name, values: found }) =>
      found
        .filter((each) => each.count < looked_at)
        .slice(0, 2)
        .map(({ value, count: traces }): Suggestion => ({ text: `${name}:${spellValue(value)}`, about: count(traces), kind: 'condition' })),
    )
    .slice(0, conditionsMax);
}

/** Words that are not searched for. */
const joiners: Suggestion[] = [
  { text: 'and', kind: 'word' },
  { text: 'or', kind: 'word' },
];

export async function suggestionsAt(queries: QueryClient, draft: Draft, place: FilterPlace): Promise<Suggestion[]> {
  switch (place.expects) {
    case 'field': {
      const whole = place.isFirst && place.typed === '' ? [] : await conditions(queries, draft, place);
      // After a search only what narrows it: a list of all fields would be in the way.
      if (place.typed === '' && !place.isFirst) return whole;
      return [...(place.isFirst ? [] : joiners), ...(await fields(queries, place.typed)), ...whole];
    }
    case 'operator':
      return await operators(queries, place.field);
    case 'value':
      return await values(queries, draft, place);
    case 'nothing':
      return [];
  }
}

/** Completions for a position in the filter: fields and operators from the gateway, and values of stored traces. */
import type { QueryClient } from '@tanstack/react-query';
import { spellOperator } from '../../../shared/filter/spelling.ts';
import { gateway } from '../../api/client.ts';
import type { FilterPlace } from '../../model/filter/filter-place.ts';
import { spellValue } from '../../model/filter/filter-text.ts';

export interface Suggestion {
  /** Text to insert. */
  text: string;
  /** Description shown beside it. */
  about?: string;
  kind: 'field' | 'operator' | 'value' | 'word';
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

async function values(field: string, typed: string): Promise<Suggestion[]> {
  const found = field === 'status' ? ['OK', 'ERROR'] : await valuesOf(field, typed);
  return found.map((value) => ({ text: spellValue(value), kind: 'value' }));
}

/** Words that are not searched for. */
const joiners: Suggestion[] = [
  { text: 'and', kind: 'word' },
  { text: 'or', kind: 'word' },
];

export async function suggestionsAt(queries: QueryClient, place: FilterPlace): Promise<Suggestion[]> {
  switch (place.expects) {
    case 'field':
      return [...(place.isFirst ? [] : joiners), ...(await fields(queries, place.typed))];
    case 'operator':
      return await operators(queries, place.field);
    case 'value':
      return await values(place.field, place.typed);
    case 'nothing':
      return [];
  }
}

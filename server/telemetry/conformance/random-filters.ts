/** Random filters on values of the population, as JSON and, where possible, as text. */
import fc from 'fast-check';
import { filterSchema } from '../../../shared/filter/filter-schema.ts';
import { metadataKeys, scoreNames, tagWords, words } from './filter-population.ts';
import type { NaiveFilter, NaiveLeaf } from './naive-filter.ts';

const { fields, dynamic_fields } = filterSchema().spans;

const keysOf: Record<string, readonly string[]> = { metadata: [...metadataKeys, 'absent'], score: [...scoreNames, 'absent'] };
const knownFields = [
  ...fields,
  ...dynamic_fields.flatMap(({ pattern, kind, operators }) =>
    (keysOf[kind] ?? []).map((key) => ({ name: pattern.slice(0, pattern.indexOf('<')) + key, kind, operators })),
  ),
];

const text = fc.constantFrom(
  '',
  ...words,
  'needle',
  'needle%end',
  'L',
  'llm',
  'agent',
  'l',
  'user',
  'word',
  'trace-a',
  'Trace_7%',
  'race',
  '1a1a',
  'ABC',
  'WEB_search',
  'too many',
  '"REQUESTS"',
  'RateLimit',
  'Ünï',
  'prod',
  'test-service',
);
const number = fc.oneof(fc.constantFrom(0, 0.5, 1, 2, 2.5, 5, 100, 1000, -1), fc.constantFrom('1', '.5', '1e3'));
const needsText = ['contains', 'notContains', 'startsWith', 'endsWith'];

const valueOfKind = (kind: string): fc.Arbitrary<string | number> => {
  if (kind === 'numeric' || kind === 'score') return number;
  if (kind === 'status') return fc.constantFrom('OK', 'ERROR');
  return kind === 'tags' ? fc.constantFrom('', ...tagWords, 'absent') : text;
};

function leafOf({ name, kind, operators }: (typeof knownFields)[number]): fc.Arbitrary<NaiveLeaf> {
  return fc.constantFrom(...operators).chain((operator): fc.Arbitrary<NaiveLeaf> => {
    const leaf = { field: name, operator };
    const value = valueOfKind(kind);
    if (operator === 'exists' || operator === 'doesNotExist') return fc.constant(leaf);
    if (operator === 'in' || operator === 'notIn')
      return fc.array(value, { minLength: 1, maxLength: 4 }).map((list) => ({ ...leaf, value: list }));
    if (operator === 'between') {
      return fc.tuple(value, value).map((pair) => ({ ...leaf, value: pair.sort((a, b) => Number(a) - Number(b)) }));
    }
    const legal =
      needsText.includes(operator) || (kind === 'tags' && operator === 'contains') ? value.filter((item) => item !== '') : value;
    return legal.map((item) => ({ ...leaf, value: item }));
  });
}

const leaf = fc.constantFrom(...knownFields).chain(leafOf);

export const randomFilter: fc.Arbitrary<NaiveFilter> = fc.array(
  fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 1, arbitrary: fc.array(leaf, { minLength: 1, maxLength: 4 }).map((or) => ({ or })) }),
  { minLength: 1, maxLength: 4 },
);

const spelling: Record<string, string> = {
  equals: '=',
  notEquals: '!=',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  contains: 'contains',
  notContains: 'NOT  contains',
  startsWith: 'starts with',
  endsWith: 'Ends With',
  exists: 'exists',
  doesNotExist: 'does not exist',
  in: 'in',
  notIn: 'NOT in',
  between: 'between',
};

/** The filter as text, in which nothing joins as `and` does, except after `exists`. */
export function asText(filter: NaiveFilter): string {
  const clauses = filter.map((entry) => ('or' in entry ? `(${entry.or.map(leafText).join(' or ')})` : leafText(entry)));
  return clauses.reduce((text, clause, at) => `${text}${at % 2 === 1 || /exists?$/.test(text) ? ' and ' : ' '}${clause}`);
}

function leafText({ field, operator, value }: NaiveLeaf): string {
  const symbol = spelling[operator];
  if (field === 'text' && operator === 'contains') return quoted(value as string);
  if (value === undefined) return `${field} ${symbol}`;
  if (!Array.isArray(value)) return `${field} ${symbol} ${quoted(value)}`;
  const values = value.map(quoted);
  return `${field} ${symbol} ${operator === 'between' ? values.join(' and ') : `(${values.join(', ')})`}`;
}

const quoted = (value: string | number): string => `"${String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { problemsIn } from '../words/issue-words.ts';
import type { Resource } from './fields.ts';
import { FilterError } from './filter-error.ts';
import { filterList, parseFilterList } from './parse-json.ts';
import { parseFilterText } from './parse-text.ts';

/** The result of parsing the `filters` of a body. */
function outcome(filters: unknown, resource: Resource = 'traces'): 'ok' | 'invalid_request_body' | 'invalid_filter' {
  const shape = filterList.safeParse(filters);
  if (!shape.success) return 'invalid_request_body';
  try {
    parseFilterList(resource, shape.data);
    return 'ok';
  } catch (error) {
    if (error instanceof FilterError) return 'invalid_filter';
    throw error;
  }
}

const leaf = (field: string, operator: string, value?: unknown) => ({ field, operator, ...(value === undefined ? {} : { value }) });
const group = (count: number) => ({ or: Array.from({ length: count }, (_, index) => leaf('cost', 'gt', index)) });
const dates = ['2026-01-01T00:00:00Z', '2026-01-31T00:00:00Z'];

const vectors: [string, Resource, unknown, ReturnType<typeof outcome>][] = [
  ['J1', 'traces', [leaf('model', 'in', ['a', 'b'])], 'ok'],
  ['J2', 'traces', [{ or: [leaf('model', 'equals', 'a'), leaf('cost', 'gt', 1)] }], 'ok'],
  ['J3', 'traces', [{ or: [{ or: [] }] }], 'invalid_request_body'],
  ['J3', 'traces', [{ field: 'model', or: [] }], 'invalid_request_body'],
  ['J3', 'traces', {}, 'invalid_request_body'],
  ['J4', 'traces', [leaf('status', 'in', ['OK'])], 'invalid_filter'],
  ['J5', 'traces', [leaf('cost', 'between', [2, 1])], 'invalid_filter'],
  ['J5', 'traces', [leaf('cost', 'between', [1])], 'invalid_filter'],
  ['J6', 'traces', [leaf('score__q', 'in', [1])], 'invalid_filter'],
  ['J7', 'traces', [leaf('model', 'in', Array.from({ length: 51 }, String))], 'invalid_filter'],
  ['J8', 'traces', [group(11), group(10)], 'invalid_filter'],
  ['J9', 'scores', [leaf('created_at', 'between', dates)], 'ok'],
  ['J10', 'scores', [leaf('created_at', 'equals', dates[0])], 'invalid_filter'],
  ['J11', 'scores', [leaf('model', 'equals', 'a')], 'invalid_filter'],
  ['J11', 'traces', [leaf('created_at', 'gt', dates[0])], 'invalid_filter'],
  ['J12', 'traces', [leaf('model', 'equals')], 'invalid_filter'],
];

describe('the JSON form of filters', () => {
  it.each(vectors)('vector %s on %s', (_, resource, filters, expected) => expect(outcome(filters, resource)).toBe(expected));

  it.each([
    ['a body in place of its filters (J13 itself is in server/app/search-bodies.gateway.test.ts)', { limit: '10' }, 'invalid_request_body'],
    ['an unknown operator', [leaf('model', '=', 'a')], 'invalid_request_body'],
    ['an alias', [leaf('model', 'not_equals', 'a')], 'invalid_request_body'],
    ['a boolean', [leaf('model', 'equals', true)], 'invalid_request_body'],
    ['null', [leaf('model', 'equals', null)], 'invalid_request_body'],
    ['another key', [{ ...leaf('model', 'equals', 'a'), and: [] }], 'invalid_request_body'],
    ['no field', [leaf('', 'equals', 'a')], 'invalid_request_body'],
    ['an empty group', [{ or: [] }], 'invalid_request_body'],
    ['no filters', [], 'ok'],
    ['a field of the prototype', [leaf('__proto__', 'equals', 'a')], 'invalid_filter'],
    ['an empty list', [leaf('model', 'in', [])], 'invalid_filter'],
    ['50 values', [leaf('model', 'in', Array.from({ length: 50 }, String))], 'ok'],
    ['a list for one value', [leaf('model', 'equals', ['a'])], 'invalid_filter'],
    ['one value for a list', [leaf('model', 'in', 'a')], 'invalid_filter'],
    ['a value for exists', [leaf('metadata.a', 'exists', 'x')], 'invalid_filter'],
    ['exists', [leaf('metadata.a', 'doesNotExist')], 'ok'],
    ['a text in numbers', [leaf('cost', 'in', [1, '2', 'x'])], 'invalid_filter'],
    ['equal bounds', [leaf('cost', 'between', ['1', 1])], 'ok'],
    ['501 characters', [leaf('model', 'equals', 'a'.repeat(501))], 'invalid_filter'],
    ['an unpaired surrogate', [leaf('model', 'equals', '\ud800')], 'invalid_filter'],
    ['20 entries', Array.from({ length: 20 }, () => leaf('cost', 'gt', 1)), 'ok'],
    ['21 entries', Array.from({ length: 21 }, () => leaf('cost', 'gt', 1)), 'invalid_filter'],
    ['a score list', [leaf('score__q', 'between', [0, 1])], 'ok'],
  ] as const)('%s', (_, filters, expected) => expect(outcome(filters)).toBe(expected));

  it.each([dates[0], 'yesterday', '2026-01-01', '1969-12-31T23:59:59Z', 5])('created_at after %s', (value) => {
    expect(outcome([leaf('created_at', 'gt', value)], 'scores')).toBe(value === dates[0] ? 'ok' : 'invalid_filter');
  });

  it('parses to the same tree as the string form, whether numbers are numbers or texts', () => {
    const list = [
      { or: [leaf('text', 'contains', 'a b'), leaf('model', 'startsWith', 'gpt'), leaf('user_id', 'equals', 5)] },
      leaf('cost', 'gte', '1e1'),
      leaf('metadata.k', 'doesNotExist'),
      leaf('score__a-b', 'notEquals', 1),
    ];
    const text =
      '(text contains "a b" or model starts with gpt or user_id = 5) and cost >= 10 and metadata.k does not exist and score__a-b != 1';
    expect(parseFilterList('spans', filterList.parse(list))).toEqual(parseFilterText('spans', text));
  });

  it.each([
    [[{ field: 'model', op: 'equals', value: 'a' }], ['0 has no field "op", did you mean operator?', '0.operator is required']],
    [
      [leaf('model', '=', 'a')],
      [
        '0.operator "=" is not an operator of "model", did you mean equals? Use one of: equals, notEquals, contains, notContains, startsWith, endsWith, in, notIn',
      ],
    ],
    [
      [{ or: [leaf('status', 'eq', 'OK')] }],
      ['0.or.0.operator "eq" is not an operator of "status", did you mean equals? Use one of: equals'],
    ],
    [
      [leaf('created_at', 'betwen', dates)],
      ['0.operator "betwen" is not an operator of "created_at", did you mean between? Use one of: gt, gte, lt, lte, between'],
    ],
    [[leaf('model', 'equals', true)], ['0.value must be a string, a number or a list']],
    [[{ field: 'model', or: [] }], ['0 has no field "field"', '0.or must not be empty']],
  ])('%j is refused with messages that name the problem', (filters, expected) => {
    const messages = problemsIn(filterList.safeParse(filters).error as z.core.$ZodError).map(
      ({ path, message }) => `${path.join('.')} ${message}`,
    );
    expect(messages.sort()).toEqual(expected.sort());
  });

  it('suggests the field that was meant', () => {
    expect(() => parseFilterList('traces', filterList.parse([leaf('modle', 'equals', 'a')]))).toThrow('did you mean model?');
  });

  it('says which field and operator is wrong', () => {
    const refuse = () => parseFilterList('traces', filterList.parse([leaf('status', 'in', ['OK'])]));
    expect(refuse).toThrow(expect.objectContaining({ field: 'status', operator: 'in', position: undefined }));
    expect(refuse).toThrow('"status" does not take in. Use one of: equals');
  });
});

import { describe, expect, it } from 'vitest';
import { processorTime } from '../../server/fixtures/processor-time.ts';
import { FilterError } from './filter-error.ts';
import type { Predicate } from './filter-tree.ts';
import { parseFilterText } from './parse-text.ts';

/** The error for a refused text; null when it is accepted. */
function refusal(text: string): FilterError | null {
  try {
    parseFilterText('traces', text);
    return null;
  } catch (error) {
    if (error instanceof FilterError) return error;
    throw error;
  }
}

const repeated = (count: number) => Array.from({ length: count }, (_, index) => `cost > ${index}`);

/** docs/reference/filters.md#examples, by number: which texts are accepted, and which are refused at which position. */
const accepted: [number, string][] = [
  [1, 'status = ERROR'],
  [4, 'cost > 0.01 and latency_ms <= 2000'],
  [5, 'cost>0.01 AND latency_ms<=2000'],
  [6, '(model = "gpt-4o" or model = "o3") and status = ERROR'],
  [7, 'model = gpt-4o or model = o3'],
  [8, '(model = a and cost > 1)'],
  [9, '((model = a))'],
  [10, 'metadata.env = "prod" and metadata.debug_url exists'],
  [15, 'score__answer-quality >= 0.8'],
  [17, 'tags contains prod'],
  [17, 'tags != prod'],
  [20, 'cost = "0.5"'],
  [20, 'cost = -1e-3'],
  [20, 'cost = .5'],
  [21, 'input contains "say \\"hi\\" and go"'],
  [24, 'user_id = ""'],
  [26, 'model = "and"'],
  [28, 'model in (a, "b c")'],
  [28, 'cost between 1 and 2'],
  [29, repeated(20).join(' and ')],
  [29, `(${repeated(19).join(' or ')}) and cost > 1`],
  [33, 'web_search sodium status = ERROR'],
  [34, 'tool:web_search model:"a b" https://example.com'],
  [35, 'duration > 2s and ttft <= 500ms'],
  [36, 'text not contains timeout'],
  [37, 'file exists in payment'],
];

const refused: [number, string, number][] = [
  [2, 'status != OK', 7],
  [3, 'status = error', 9],
  [11, 'metadata.debug_url exists "x"', 26],
  [12, 'metadata.graph.node.id exists', 0],
  [13, 'metadata.1abc = x', 0],
  [14, 'model exists', 6],
  [16, 'score__q contains 1', 9],
  [18, 'tags starts with p', 5],
  [19, 'cost = abc', 7],
  [19, 'cost = 0x10', 7],
  [19, 'cost = Infinity', 7],
  [22, "input contains 'it''s'", 19],
  [23, 'user_id = "', 10],
  [25, 'user_id contains ""', 17],
  [26, 'model = and', 8],
  [27, 'foo = 1', 0],
  [27, 'latency = 5', 0],
  [27, 'Model = x', 0],
  [28, 'cost between 1 2', 15],
  [28, 'cost between 2 and 1', 13],
  [28, 'model in ()', 10],
  [29, repeated(21).join(' and '), repeated(20).join(' and ').length + 5],
  [
    29,
    `(${repeated(11).join(' or ')}) and (${repeated(10).join(' or ')})`,
    repeated(11).join(' or ').length + 8 + repeated(9).join(' or ').length + 4,
  ],
  [30, '[{"field":"model","operator":"equals","value":"x"}]', 0],
  [31, '', 0],
  [31, ' \t\r\n', 4],
  [32, 'model = a and', 13],
  [32, 'and model = a', 0],
  [32, 'model =', 7],
  [32, '= a', 0],
  [34, 'modle:a', 0],
  [36, 'NOT timeout', 0],
  [38, '(a', 2],
  [38, 'a)', 1],
];

const only = (text: string): Predicate => {
  const { clauses } = parseFilterText('traces', text);
  expect(clauses.map((clause) => clause.length)).toEqual([1]);
  return clauses[0]?.[0] as Predicate;
};
const valueIn = (text: string): unknown => only(text).values[0];

describe('the string form of filters', () => {
  it.each(accepted)('vector %i takes %s', (_, text) => expect(refusal(text)).toBe(null));

  it.each(refused)('vector %i refuses %s at %i', (_, text, position) => {
    expect(refusal(text)).toMatchObject({ position });
    expect(refusal(text)?.message).not.toBe('');
  });

  it('every vector of the contract is here', () => {
    const numbers = new Set([...accepted, ...refused].map(([number]) => number));
    expect([...numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: 38 }, (_, index) => index + 1));
  });

  it.each([
    [
      'foo = 1',
      'Unknown field "foo" of traces. GET /v1/filter-schema lists the fields; text in quotes is searched for',
      { position: 0, field: 'foo' },
    ],
    [
      'modle = a',
      'Unknown field "modle" of traces, did you mean model? GET /v1/filter-schema lists the fields; text in quotes is searched for',
      { position: 0, field: 'modle', suggestion: 'model' },
    ],
    [
      'model like a',
      'Expected an operator after "model", found "like", did you mean contains? Use one of: =, !=, contains, not contains, starts with, ends with, in, not in',
      { position: 6, field: 'model' },
    ],
    [
      'tags ~ prod',
      'Expected an operator after "tags", found "~", did you mean contains? Use one of: =, !=, contains, in, not in',
      { position: 5 },
    ],
    ['status != OK', '"status" does not take !=. Use one of: =', { position: 7, field: 'status', operator: 'notEquals' }],
    [
      'tags starts with p',
      '"tags" does not take starts with. Use one of: =, !=, contains, in, not in',
      { position: 5, field: 'tags', operator: 'startsWith' },
    ],
    ['model =', 'Expected a value, found the end', { position: 7, field: 'model', operator: 'equals' }],
    ['model == a', 'Expected a value, found "="', { position: 7, field: 'model', operator: 'equals' }],
    ['cost = abc', '"cost" needs a number, not "abc"', { position: 7, field: 'cost', operator: 'equals' }],
    ['status = error', 'status is OK or ERROR, not "error", did you mean ERROR?', { position: 9, field: 'status', operator: 'equals' }],
    ['model = a,b', 'Expected and, or, or the end, found ","; a value with such a character needs quotes', { position: 9 }],
    ['status in (OK)', '"status" does not take in. Use one of: =', { position: 7, field: 'status', operator: 'in' }],
    ['ttft > 5min', '"ttft" needs milliseconds, or a number with ms, s, m or h, not "5min"', { position: 7, field: 'ttft' }],
    ['()', 'A group needs at least one predicate', { position: 1 }],
    ['(model = a', 'The group that begins at 0 has no )', { position: 10 }],
    ['user_id = "', 'Unterminated quote', { position: 10, field: 'user_id', operator: 'equals' }],
    [repeated(21).join(' and '), 'Too many words and predicates: at most 20. Words in quotes are one', { field: 'cost' }],
    ["metadata.a exists '1'", 'exists takes no value, found "\'"', { position: 18, field: 'metadata.a', operator: 'exists' }],
    ['[]', 'The JSON form of filters is for POST bodies; write field operator value', { position: 0 }],
    [' ', 'The filter is empty', { position: 1 }],
  ])('%s is refused with: %s', (text, message, extras) => {
    expect(refusal(text)?.message).toBe(message);
    expect(refusal(text)?.extras()).toMatchObject(extras);
  });

  it('reads symbols, parentheses and quotes without blanks around them, and words in any case', () => {
    expect(parseFilterText('spans', '(model="a"or model!=\'b\')AND\tmetadata.k\nDoes  NOT\r\nExist and(cost>=1)')).toEqual({
      clauses: [
        [
          { kind: 'string', field: 'model', operator: 'equals', values: ['a'] },
          { kind: 'string', field: 'model', operator: 'notEquals', values: ['b'] },
        ],
        [{ kind: 'metadata', field: 'metadata.k', key: 'k', operator: 'doesNotExist', values: [] }],
        [{ kind: 'numeric', field: 'cost', operator: 'gte', values: [1] }],
      ],
    });
  });

  const words = (value: string) => ({ kind: 'words', field: 'text', operator: 'contains', values: [value] });
  const model = (value: string) => ({ kind: 'string', field: 'model', operator: 'equals', values: [value] });

  it('takes for words what no operator follows, and quotes as one', () => {
    const found = (text: string) => parseFilterText('traces', text).clauses.map(([only]) => (only as Predicate).values[0]);
    expect(found(`model isn't, "as it was" (Error: cost in eu)`)).toEqual(['model', "isn't", 'as it was', 'Error:', 'cost', 'in', 'eu']);
    expect(found('10:30 https://a.b/c?d std::map key:v $5')).toEqual(['10:30', 'https://a.b/c?d', 'std::map', 'key:v', '$5']);
  });

  it('binds `and` closer than `or`, and nothing binds as `and`', () => {
    expect(parseFilterText('traces', 'a model=b or (c or d) and model:"e f"')).toEqual({
      clauses: [[{ clauses: [[words('a')], [model('b')]] }, { clauses: [[words('c'), words('d')], [model('e f')]] }]],
    });
    expect(parseFilterText('traces', 'a or (b or (c))')).toEqual({ clauses: [[words('a'), words('b'), words('c')]] });
    expect(parseFilterText('traces', '(a (b c)) d')).toEqual({ clauses: [[words('a')], [words('b')], [words('c')], [words('d')]] });
  });

  it('reads other names of fields, and durations with units, as the field and its milliseconds', () => {
    const text = 'duration in (1.5s, 2m, 1h, 7) and input_tokens > 1 and output_tokens < 2';
    expect(parseFilterText('spans', text)).toEqual(
      parseFilterText('spans', 'latency_ms in (1500, 120000, 3600000, 7) prompt_tokens > 1 completion_tokens < 2'),
    );
  });

  it('takes longest operators first and values up to the next delimiter', () => {
    expect(only('cost<=-5')).toMatchObject({ operator: 'lte', values: [-5] });
    for (const bare of ['gpt-4o', 'a/b:c@d', '2024-08-06', 'a=b', 'x>y', 'andy', 'NOTE', '\\', '%_*', 'ß😀\u00a0']) {
      expect(valueIn(`user_id = ${bare}`)).toBe(bare);
    }
    for (const text of [
      'user_id = a,b',
      'user_id = a(b)',
      'user_id = a"b"',
      'user_id = !a',
      'user_id <> a',
      'user_id = Or',
      'user_id = NOT',
    ]) {
      expect(refusal(text), text).not.toBe(null);
    }
  });

  it('unescapes quotes and backslashes and nothing else', () => {
    expect(valueIn(String.raw`user_id = "a\\b\"c\'d\n'e"`)).toBe(String.raw`a\b"c'd\n'e`);
    expect(valueIn(`user_id = 'say "hi"\nthere'`)).toBe('say "hi"\nthere');
    expect(refusal(String.raw`user_id = "a\"`)?.message).toBe('Unterminated quote');
  });

  it('takes values of 500 characters after unescaping, and no longer ones', () => {
    expect(valueIn(`user_id = "${'\\"'.repeat(500)}"`)).toBe('"'.repeat(500));
    expect(refusal(`user_id = ${'a'.repeat(501)}`)).toMatchObject({ position: 10, field: 'user_id' });
  });

  it.each(['1', '-1', '1.', '.5', '1.5e+3', '1E3', '00', '1e-400'])('reads the number %s', (number) => {
    expect(valueIn(`cost = ${number}`)).toBe(Number(number));
  });

  it.each(['+1', '1e', '.', '-', 'e1', '1_000', '0x10', 'NaN', '-Infinity', '1e999', '--1', '1e1.5', '"1 "', '""', '１'])(
    'does not take %s for a number',
    (number) => expect(refusal(`cost = ${number}`)).toMatchObject({ field: 'cost', position: 7 }),
  );

  it.each([
    ['metadata', '_', true],
    ['metadata', 'a'.repeat(64), true],
    ['metadata', 'a'.repeat(65), false],
    ['metadata', '', false],
    ['metadata', 'a-b', false],
    ['metadata', 'é', false],
    ['metadata', '__proto__', true],
    ['score', 'a-b', true],
    ['score', '-a', false],
    ['score', 'a.b', false],
  ])('a key of %s may be %s: %s', (kind, key, legal) => {
    const text = kind === 'score' ? `score__${key} > 1` : `metadata.${key} = x`;
    expect(refusal(text) === null).toBe(legal);
  });

  it.each(['__proto__', 'constructor', 'toString', 'metadata', 'score__', 'created_at', 'label'])(
    '%s is not a field of traces',
    (field) => {
      expect(refusal(`${field} = 1`)).toMatchObject({ field, position: 0 });
    },
  );

  it('reads hostile texts in time proportional to their length', () => {
    const hostile = [
      '('.repeat(32_000),
      'a'.repeat(32_000),
      `${'a,'.repeat(16_000)}`,
      `${'a '.repeat(16_000)}`,
      'model = '.repeat(4_000),
      `model = "${'\\'.repeat(32_000)}`,
      ' '.repeat(32_768),
      'not '.repeat(8_000),
    ];
    const elapsedMs = processorTime(() => {
      for (const text of hostile) expect(refusal(text)).not.toBe(null);
    });
    expect(elapsedMs).toBeLessThan(1000);
    expect(refusal('a'.repeat(32_769))?.message).toContain('longer than');
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { problemOf } from './filter-text.ts';
import { searchedFilter } from './searched-filter.ts';

it('runs a filter without unknown fields as it is', () => {
  for (const filter of ['', 'web_search "ion price" status = ERROR', 'tags:release', 'see http://localhost:9418/v1 now', 'model in (a, b)'])
    expect(searchedFilter(filter)).toEqual({ filter, unknown: [], problem: null });
});

it.each([
  ['modle:o3', '"modle:o3"', 'modle:o3'],
  ['modle:"o 3" ada', '"modle:\\"o 3\\"" ada', 'modle:"o 3"'],
  ['ada modle = o3 and cost > 1', 'ada "modle = o3" and cost > 1', 'modle = o3'],
  ['(modle in (a, "b c") or ada)', '("modle in (a, \\"b c\\")" or ada)', 'modle in (a, "b c")'],
  ['modle between 1 and 2 ada', '"modle between 1 and 2" ada', 'modle between 1 and 2'],
  ['modle exists ada', '"modle exists" ada', 'modle exists'],
  ['modle not contains x', '"modle not contains x"', 'modle not contains x'],
])('searches for a condition on an unknown field as words: %s', (text, filter, words) => {
  const searched = searchedFilter(text);
  expect(searched).toMatchObject({ filter, problem: null, unknown: [{ field: 'modle', words, fix: { field: 'model' } }] });
  expect(searched.unknown[0]?.fix?.text).toBe(text.replace('modle', 'model'));
  expect(problemOf(searched.filter)).toBeNull();
});

it('reports each unknown field, with the fix in the text as it was written', () => {
  const { filter, unknown } = searchedFilter('modle:o3 ada sesion_id = x https://a.b/c?d=e');
  expect(filter).toBe('"modle:o3" ada "sesion_id = x" "https://a.b/c?d=e"');
  expect(unknown.map(({ field, fix }) => [field, fix?.text ?? null])).toEqual([
    ['modle', 'model:o3 ada sesion_id = x https://a.b/c?d=e'],
    ['sesion_id', 'modle:o3 ada session_id = x https://a.b/c?d=e'],
    ['https://a.b/c?d', null],
  ]);
});

it('leaves other problems, at their position in the text', () => {
  expect(searchedFilter('modle:o3 cost > much')).toMatchObject({ problem: { position: 16 }, unknown: [{ field: 'modle' }] });
  expect(searchedFilter('modle = "o3').problem).toMatchObject({ position: 8 });
  expect(searchedFilter('errors_inside > 0', 'spans').problem).toMatchObject({ position: 0, field: 'errors_inside' });
  expect(searchedFilter('metadata.a-b = c').problem).toMatchObject({ position: 0 });
  expect(searchedFilter(Array.from({ length: 21 }, () => 'x = 1').join(' ')).problem?.message).toMatch(/^Too many/);
});

it('never answers a filter with an unknown field without a problem', () => {
  const piece = fc.constantFrom(
    'a',
    'modle',
    'model',
    '=',
    ':',
    '!=',
    '"',
    "'",
    '(',
    ')',
    ',',
    ' ',
    'in',
    'between',
    'and',
    'or',
    '\\',
    '>',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
      const { filter, problem } = searchedFilter(pieces.join(''));
      expect(problemOf(filter) === null).toBe(problem === null);
    }),
    { numRuns: 2000 },
  );
});

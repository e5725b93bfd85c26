import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFilterText } from '../../../shared/filter/parse-text.ts';
import { addClause, clausesOf, problemOf, requiredValues, spellValue, toggleValue, withoutClause } from './filter-text.ts';

it('any value is written so that it parses back to itself', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200, unit: 'binary' }), (value) => {
      const read = parseFilterText('traces', `model = ${spellValue(value)}`).clauses[0]?.[0];
      expect(read).toMatchObject({ values: [value] });
    }),
  );
});

it('reports what is wrong and where, and no problem for a blank filter', () => {
  expect(problemOf('  ')).toBeNull();
  expect(problemOf('cost > 1')).toBeNull();
  expect(problemOf('cost > 1 and modle = a')).toMatchObject({ position: 13, fix: { field: 'model', text: 'cost > 1 and model = a' } });
  expect(problemOf('foo = a')).toMatchObject({ position: 0, fix: null });
});

describe('a facet', () => {
  it('adds a value, a second one, and removes both again', () => {
    const one = toggleValue('cost > 1', 'model', 'gpt-4o');
    expect(one).toBe('cost > 1 and model = gpt-4o');
    const two = toggleValue(one, 'model', 'o 3');
    expect(two).toBe('cost > 1 and (model = gpt-4o or model = "o 3")');
    expect(requiredValues(two, 'model')).toEqual(['gpt-4o', 'o 3']);
    expect(toggleValue(toggleValue(two, 'model', 'o 3'), 'model', 'gpt-4o')).toBe('cost > 1');
  });

  it('keeps other conditions on its field', () => {
    expect(toggleValue('model != a', 'model', 'b')).toBe('model != a and model = b');
    expect(requiredValues('(model = a or user_id = b)', 'model')).toEqual([]);
  });
});

it('removes one clause and keeps the meaning of the others', () => {
  const text = 'status = ERROR and (model = a or model = b) and input contains "x y"';
  expect(clausesOf(text)).toEqual(['status = ERROR', '(model = a or model = b)', 'input contains "x y"']);
  expect(withoutClause(text, 1)).toBe('status = ERROR and input contains "x y"');
  expect(addClause('', 'cost > 1')).toBe('cost > 1');
});

it('writes words, lists, ranges and groups so that they parse back to themselves', () => {
  for (const text of [
    'sodium and "ion price" and "it\'s" and text not contains "a b"',
    'model in (a, "b c") and cost between 1 and 2',
    '((model = a and cost > 1) or "status" or (tool = x and (a or b)))',
  ]) {
    const spelled = addClause(text, 'tags = t');
    expect(parseFilterText('traces', spelled)).toEqual(parseFilterText('traces', `(${text}) and tags = t`));
  }
  expect(withoutClause('web_search "ion price" status = ERROR', 2)).toBe('web_search and "ion price"');
});

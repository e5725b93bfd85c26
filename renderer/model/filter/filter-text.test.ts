import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFilterText } from '../../../shared/filter/parse-text.ts';
import { clausesOf, narrowedBy, problemOf, spellValue, toggled, valuesAsked, withoutClause } from './filter-text.ts';

it('any value is spelled so that it is read back', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200, unit: 'binary' }), (value) => {
      const read = parseFilterText('traces', `model = ${spellValue(value)}`).clauses[0]?.[0];
      expect(read?.values).toEqual([value]);
    }),
  );
});

it('says what is wrong and where, and nothing of a blank filter', () => {
  expect(problemOf('  ')).toBeNull();
  expect(problemOf('cost > 1')).toBeNull();
  expect(problemOf('cost > 1 and modle = a')).toMatchObject({ position: 13 });
});

describe('a facet', () => {
  it('asks for a value, for either of two, and for neither again', () => {
    const one = toggled('cost > 1', 'model', 'gpt-4o');
    expect(one).toBe('cost > 1 and model = gpt-4o');
    const two = toggled(one, 'model', 'o 3');
    expect(two).toBe('cost > 1 and (model = gpt-4o or model = "o 3")');
    expect(valuesAsked(two, 'model')).toEqual(['gpt-4o', 'o 3']);
    expect(toggled(toggled(two, 'model', 'o 3'), 'model', 'gpt-4o')).toBe('cost > 1');
  });

  it('leaves conditions that say something else of its field', () => {
    expect(toggled('model != a', 'model', 'b')).toBe('model != a and model = b');
    expect(valuesAsked('(model = a or user_id = b)', 'model')).toEqual([]);
  });
});

it('one condition is dropped, the others stay as they were meant', () => {
  const text = 'status = ERROR and (model = a or model = b) and input contains "x y"';
  expect(clausesOf(text)).toEqual(['status = ERROR', '(model = a or model = b)', 'input contains "x y"']);
  expect(withoutClause(text, 1)).toBe('status = ERROR and input contains "x y"');
  expect(narrowedBy('', 'cost > 1')).toBe('cost > 1');
});

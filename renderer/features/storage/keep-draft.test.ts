import { expect, it } from 'vitest';
import { fieldsOf, isStricter, problemsOf, ruleOf } from './keep-draft.ts';

it('a rule is the same after it was turned into fields and back', () => {
  for (const rule of [
    { keep_days: null, max_bytes: null },
    { keep_days: 30, max_bytes: null },
    { keep_days: null, max_bytes: 5 * 1024 ** 3 },
    { keep_days: 3650, max_bytes: 1.5 * 1024 ** 3 },
  ]) {
    expect(problemsOf(fieldsOf(rule))).toEqual({});
    expect(ruleOf(fieldsOf(rule))).toEqual(rule);
  }
});

it('an invalid value has a problem at its field', () => {
  for (const days of ['0', '-1', '1.5', 'week', '3651']) expect(problemsOf({ days, gigabytes: '' })).toEqual({ days: expect.any(String) });
  for (const gigabytes of ['0', '-1', 'much', '0.01'])
    expect(problemsOf({ days: '', gigabytes })).toEqual({ gigabytes: expect.any(String) });
});

it('a rule is stricter when either part of it is', () => {
  const free = { keep_days: null, max_bytes: null };
  const month = { keep_days: 30, max_bytes: null };
  expect(isStricter(month, free)).toBe(true);
  expect(isStricter(free, month)).toBe(false);
  expect(isStricter(month, month)).toBe(false);
  expect(isStricter({ keep_days: 60, max_bytes: 2 ** 30 }, month)).toBe(true);
  expect(isStricter({ keep_days: 7, max_bytes: null }, { keep_days: 30, max_bytes: 2 ** 30 })).toBe(true);
});

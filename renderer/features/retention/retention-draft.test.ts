import { expect, it } from 'vitest';
import { effectiveDays, fieldsOf, isStricter, ofApp, problemsOf, rulesOf } from './retention-draft.ts';

const environment = (environment_id: string, keep_days: number | null) => ({ environment_id, name: environment_id, keep_days });
const retention = { keep_days: 30, environments: [environment('dev', 7), environment('prod', null)], plan_days: 90 };
const fields = { [ofApp]: '30', dev: '7', prod: '' };

it('the fields show the rules, and are read as the same rules', () => {
  expect(fieldsOf(retention)).toEqual(fields);
  expect(rulesOf(fields)).toEqual({ keep_days: 30, environments: [{ environment_id: 'dev', keep_days: 7 }] });
  expect(rulesOf({ [ofApp]: ' ', dev: ' 8 ', prod: '' })).toEqual({
    keep_days: null,
    environments: [{ environment_id: 'dev', keep_days: 8 }],
  });
});

it('only whole numbers of days that the plan allows are valid', () => {
  expect(problemsOf({ ...fields, prod: '90' }, 90)).toEqual({});
  for (const text of ['0', '-1', '1.5', '1e1', '91', 'x']) expect(Object.keys(problemsOf({ ...fields, prod: text }, 90))).toEqual(['prod']);
  expect(problemsOf({ ...fields, prod: '3650' }, null)).toEqual({});
});

it('an environment without a rule has that of the app, and none is longer than that of the plan', () => {
  const rules = rulesOf(fields);
  expect(['dev', 'prod'].map((id) => effectiveDays(rules, id, 90))).toEqual([7, 30]);
  expect(effectiveDays(rulesOf({ [ofApp]: '' }), 'prod', 90)).toBe(90);
  expect(effectiveDays(rulesOf({ [ofApp]: '' }), 'prod', null)).toBeNull();
});

it('rules are stricter when anything is kept for fewer days than before', () => {
  const stricter = (changed: object) => isStricter(rulesOf({ ...fields, ...changed }), retention);
  expect(stricter({})).toBe(false);
  expect([stricter({ prod: '29' }), stricter({ [ofApp]: '29' }), stricter({ dev: '6' })]).toEqual([true, true, true]);
  expect([stricter({ prod: '31' }), stricter({ [ofApp]: '' }), stricter({ dev: '' })]).toEqual([false, false, false]);
});

import { expect, it } from 'vitest';
import { expiredTraces } from './expired-traces.ts';

const dayMs = 24 * 3600 * 1000;
const midnight = Date.UTC(2026, 10, 30);
const noon = midnight + dayMs / 2;
const environments = [
  { id: 'd', name: 'dev' },
  { id: 'p', name: 'prod' },
];
const ruleOf = (environment_id: string, keep_days: number) => ({ environment_id, keep_days });
const before = (days: number) => ({ to: midnight - days * dayMs, bookkeeping: 'include' });
const notIn = (...values: string[]) => ({ clauses: [[{ kind: 'string', field: 'environment', operator: 'notIn', values }]] });

it('without rules, and without a limit of the plan, nothing is too old', () => {
  expect(expiredTraces({ keep_days: null, environments: [] }, environments, null, noon)).toEqual([]);
});

it('the rule of the app holds for everything that no environment has a rule for, traces without an environment included', () => {
  expect(expiredTraces({ keep_days: 30, environments: [] }, environments, null, noon)).toEqual([before(30)]);
  expect(expiredTraces({ keep_days: 30, environments: [ruleOf('p', 90)] }, environments, null, noon)).toEqual([
    { environment: 'prod', ...before(90) },
    { filter: notIn('prod'), ...before(30) },
  ]);
});

it('only environments with a rule lose traces when the app has none', () => {
  expect(expiredTraces({ keep_days: null, environments: [ruleOf('d', 1)] }, environments, null, noon)).toEqual([
    { environment: 'dev', ...before(1) },
  ]);
});

it('nothing is kept longer than the plan allows', () => {
  expect(expiredTraces({ keep_days: null, environments: [ruleOf('p', 90), ruleOf('d', 7)] }, environments, 30, noon)).toEqual([
    { environment: 'prod', ...before(30) },
    { environment: 'dev', ...before(7) },
    { filter: notIn('prod', 'dev'), ...before(30) },
  ]);
});

it('a rule for an environment that is gone does not take its traces from the rule of the app', () => {
  expect(expiredTraces({ keep_days: 30, environments: [ruleOf('gone', 3650)] }, environments, null, noon)).toEqual([before(30)]);
});

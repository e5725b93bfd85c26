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
const condition = (operator: string, values: string[]) => [{ kind: 'string', field: 'environment', operator, values }];
const inOf = (...values: string[]) => condition('in', values);
const notIn = (...values: string[]) => condition('notIn', values);
const selected = (days: number, ...clauses: unknown[]) => ({ filter: { clauses }, ...before(days) });

it('without rules, and without a limit of the plan, nothing is too old', () => {
  expect(expiredTraces({ keep_days: null, environments: [] }, environments, null, noon)).toEqual([]);
});

it('one rule for the app holds for everything, and for no environment but those without a rule of their own', () => {
  expect(expiredTraces({ keep_days: 30, environments: [] }, environments, null, noon)).toEqual([before(30)]);
  expect(expiredTraces({ keep_days: 30, environments: [ruleOf('p', 90)] }, environments, null, noon)).toEqual([
    selected(90, inOf('prod')),
    selected(30, inOf('dev'), notIn('prod')),
    selected(30, notIn('prod', 'dev')),
  ]);
});

it('a trace with spans of several environments is kept as long as the longest of them keeps it', () => {
  expect(expiredTraces({ keep_days: null, environments: [ruleOf('d', 1)] }, environments, null, noon)).toEqual([
    selected(1, inOf('dev'), notIn('prod')),
  ]);
  expect(expiredTraces({ keep_days: 30, environments: [ruleOf('d', 7)] }, environments, null, noon)).toEqual([
    selected(30, inOf('prod')),
    selected(7, inOf('dev'), notIn('prod')),
    selected(30, notIn('prod', 'dev')),
  ]);
});

it('nothing is kept longer than the plan allows', () => {
  expect(expiredTraces({ keep_days: null, environments: [ruleOf('p', 90), ruleOf('d', 7)] }, environments, 30, noon)).toEqual([
    selected(30, inOf('prod')),
    selected(7, inOf('dev'), notIn('prod')),
    selected(30, notIn('prod', 'dev')),
  ]);
});

it('a rule for an environment that is gone does not take its traces from the rule of the app', () => {
  expect(expiredTraces({ keep_days: 30, environments: [ruleOf('gone', 3650)] }, environments, null, noon)).toEqual([before(30)]);
});

it('each condition has a limited number of names', () => {
  const many = Array.from({ length: 250 }, (_, n) => ({ id: `e${n}`, name: `env ${n}` }));
  const selections = expiredTraces({ keep_days: 30, environments: [ruleOf('e0', 90)] }, many, null, noon);
  const sizes = selections.map((selection) =>
    'filter' in selection
      ? selection.filter?.clauses.map((clause) => clause.map((member) => ('values' in member ? member.values.length : 0)))
      : [],
  );
  expect(sizes).toEqual([[[1]], [[100, 100, 49], [1]], [[100], [100], [50]]]);
});

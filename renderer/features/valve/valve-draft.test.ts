import { expect, it } from 'vitest';
import { openValve, type ValvePolicy, valveLimits, valvePolicy } from '../../../shared/contract/valve.ts';
import { fieldsOf, isSame, policyOf, problemsOf } from './valve-draft.ts';

const full: ValvePolicy = {
  drop: { inputs: true, outputs: false, keys: ['app.*', 'user.name'] },
  hide: ['api_key', 'email'],
  only: { environments: ['production', 'staging'], tags: ['share'] },
};

it('rules are written and read as the same rules', () => {
  for (const policy of [openValve, full]) {
    expect(policyOf(fieldsOf(policy))).toEqual(policy);
    expect(problemsOf(fieldsOf(policy))).toEqual({});
    expect(isSame(policy, policyOf(fieldsOf(policy)))).toBe(true);
  }
  expect(isSame(openValve, full)).toBe(false);
  expect(isSame(full, { ...full, hide: ['email', 'api_key'] })).toBe(true);
});

it('blanks, empty lines and repeats mean nothing', () => {
  const fields = { ...fieldsOf(openValve), keys: ' a \n\n b\na', environments: ' ,x , x', tags: ',' };
  expect(policyOf(fields)).toEqual({
    ...openValve,
    drop: { ...openValve.drop, keys: ['a', 'b'] },
    only: { environments: ['x'], tags: [] },
  });
});

it('what the gateway would refuse is said beside its field', () => {
  const many = Array.from({ length: valveLimits.patternsMax + 1 }, (_, at) => `k${at}`).join('\n');
  const long = 'x'.repeat(valveLimits.nameLengthMax + 1);
  const fields = { ...fieldsOf(openValve), keys: many, tags: long };
  expect(problemsOf(fields)).toEqual({ keys: expect.any(String), tags: expect.any(String) });
  expect(valvePolicy.safeParse(policyOf(fields)).success).toBe(false);
});

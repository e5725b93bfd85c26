import { expect, it } from 'vitest';
import { noRedaction, type RedactionPolicy, redactionLimits, redactionPolicy } from '../../../shared/contract/operations/redaction.ts';
import { fieldsOf, isSame, policyOf, problemsOf } from './redaction-draft.ts';

const full: RedactionPolicy = {
  drop: { inputs: true, outputs: false, keys: ['app.*', 'user.name'] },
  hide: ['api_key', 'email'],
  only: { environments: ['production', 'staging'], tags: ['share'] },
};

it('rules are the same after they were turned into fields and back', () => {
  for (const policy of [noRedaction, full]) {
    expect(policyOf(fieldsOf(policy))).toEqual(policy);
    expect(problemsOf(fieldsOf(policy))).toEqual({});
    expect(isSame(policy, policyOf(fieldsOf(policy)))).toBe(true);
  }
  expect(isSame(noRedaction, full)).toBe(false);
  expect(isSame(full, { ...full, hide: ['email', 'api_key'] })).toBe(true);
});

it('blanks, empty lines and duplicates are ignored', () => {
  const fields = { ...fieldsOf(noRedaction), keys: ' a \n\n b\na', environments: ' ,x , x', tags: ',' };
  expect(policyOf(fields)).toEqual({
    ...noRedaction,
    drop: { ...noRedaction.drop, keys: ['a', 'b'] },
    only: { environments: ['x'], tags: [] },
  });
});

it('a value that the gateway would reject has a problem at its field', () => {
  const many = Array.from({ length: redactionLimits.patternsMax + 1 }, (_, at) => `k${at}`).join('\n');
  const long = 'x'.repeat(redactionLimits.nameLengthMax + 1);
  const fields = { ...fieldsOf(noRedaction), keys: many, tags: long };
  expect(problemsOf(fields)).toEqual({ keys: expect.any(String), tags: expect.any(String) });
  expect(redactionPolicy.safeParse(policyOf(fields)).success).toBe(false);
});

import { expect, it } from 'vitest';
import { Duplicate } from '../control/duplicate.ts';
import { assertBelow } from '../control/limit-reached.ts';
import { standardPlans } from '../limits/plan-table.ts';
import { withinLimit } from './plan-limits.ts';

it.each([
  ['api_keys', 2, 'The plan allows 2 API keys'],
  ['api_keys', 1, 'The plan allows 1 API key'],
  ['environments', 1, 'The plan allows 1 environment'],
] as const)('no more %s than %i', async (entitlement, limit, message) => {
  const limits = { ...Object.values(standardPlans)[0], [entitlement]: limit } as Parameters<typeof withinLimit>[0];
  const full = async (max: number | null) => assertBelow(max, limit);
  await expect(withinLimit(limits, entitlement, full)).rejects.toThrow(message);
});

it('the message about a taken name has the right article', () => {
  expect(new Duplicate('API key', 'x').message).toBe('There is an API key named "x" already');
  expect(new Duplicate('tenant', 'x').message).toBe('There is a tenant named "x" already');
});

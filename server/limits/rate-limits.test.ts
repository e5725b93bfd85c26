/** Buckets of requests without an account. Limits of tenants are in limits.gateway.test.ts. */
import { expect, it } from 'vitest';
import { deviceSignIn } from '../../shared/contract/identity/device-sign-in.ts';
import { sharedTraceRoutes } from '../../shared/contract/tracing/shared-trace.ts';
import { MemoryBuckets } from '../coordination/memory-buckets.ts';
import { RateLimits } from './rate-limits.ts';

const noTenants = null as never;
const caller = (ip: string) => ({
  scope: { tenant_id: '', app_id: '' },
  actor: { kind: 'system' as const, id: 'anybody', ip },
});
const limitsAt = (ms: number) => new RateLimits(noTenants, new MemoryBuckets({ monotonic: () => ms }));

async function allowed(take: () => Promise<{ retryAfterSeconds: number | null } | null>): Promise<number> {
  for (let count = 0; ; count++) if ((await take())?.retryAfterSeconds !== null) return count;
}

it('readers of shared traces are limited by their network, without a part in the limit of machines that sign in', async () => {
  const limits = limitsAt(0);
  const reader = caller('203.0.113.7');
  expect(await allowed(() => limits.admit(reader, sharedTraceRoutes.readTrace))).toBe(240);
  const polls = Object.values(deviceSignIn).filter((route) => 'rate' in route && route.rate === 'poll');
  expect(polls).toHaveLength(1);
  for (const poll of polls) expect(await allowed(() => limits.admit(reader, poll))).toBe(120);
  expect(await allowed(() => limits.admit(caller('198.51.100.7'), sharedTraceRoutes.readTrace))).toBe(240);
});

it.each(['invitations', 'alert tests'] as const)('e-mails for %s are limited by address and by team', async (kind) => {
  const limits = limitsAt(0);
  const admitted = async (tenantId: string, addressOf: (index: number) => string) => {
    for (let index = 0; ; index++) if (!(await limits.admitMail(kind, tenantId, addressOf(index)))) return index;
  };
  expect(await admitted('one', () => 'a@x.test')).toBe(5);
  expect(await admitted('two', () => 'a@x.test')).toBe(0);
  expect(await admitted('three', (index) => `${index}@x.test`)).toBe(100);
});

it('readers with one link are limited together, whichever their networks', async () => {
  const limits = limitsAt(0);
  expect(await allowed(() => limits.admitReader('one'))).toBe(600);
  expect(await allowed(() => limits.admitReader('other'))).toBe(600);
});

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { must } from '../../platform/assert.ts';
import type { ControlStore } from '../control-store.ts';
import { type Claim, leaseMs } from '../lease-store.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { expectOneOf } from './race.ts';

/** A lease that nobody has. */
export const claimOf = async ({ leases }: ControlStore, name: string = randomUUID(), holder = 'test'): Promise<Claim> =>
  must(await leases.claim(name, holder), 'nobody has it');

/** Ends every lease of the gateways of a test. */
export const expire = (time: { ms: number }): void => {
  time.ms += leaseMs + 1;
};

export function leaseGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('one of many gateways gets a lease, and when it ends one of them follows, with the next epoch', async ({ race, time }) => {
    const name = randomUUID();
    for (const epoch of [1, 2, 3]) {
      const claim = expectOneOf(await race(({ leases }, index) => leases.claim(name, `gateway ${index}`)));
      expect(claim).toMatchObject({ name, epoch });
      expire(time);
    }
  });

  guarantee('nobody gets a lease that somebody has, not even its holder', async ({ control: { leases }, time }) => {
    const name = randomUUID();
    expect([await leases.claim(name, 'a'), await leases.claim(name, 'a'), await leases.claim(name, 'b')]).toMatchObject([{}, null, null]);
    time.ms += leaseMs - 1000;
    expect(await leases.claim(name, 'b')).toBeNull();
    time.ms += 1000;
    expect(await leases.claim(name, 'b')).toEqual({ name, holder: 'b', epoch: 2 });
    expect(await leases.claim(randomUUID(), 'a')).toMatchObject({ epoch: 1 });
  });

  guarantee('renewed leases go on, and a lost one is not renewed', async ({ control, time }) => {
    const { leases } = control;
    const claims = [await claimOf(control), await claimOf(control), await claimOf(control)] as const;
    for (let renewal = 0; renewal < 3; renewal++) {
      time.ms += leaseMs - 1000;
      expect(await leases.renew('test', claims)).toEqual(claims);
    }
    expect(await leases.renew('other', claims)).toEqual([]);
    expire(time);
    const taken = await claimOf(control, claims[1].name, 'other');
    const back = await claimOf(control, claims[2].name);
    expect(await leases.renew('test', [...claims, back])).toEqual([claims[0], back]);
    expect(await leases.renew('other', [taken])).toEqual([taken]);
    expect(await leases.renew('test', [])).toEqual([]);
  });

  guarantee('a lease from before the clock was set back by an hour does not last an hour longer', async ({ control, time }) => {
    const { name } = await claimOf(control);
    time.ms -= 3_600_000;
    expect(await control.leases.claim(name, 'other')).toMatchObject({ epoch: 2 });
    time.ms += 3_600_000;
  });

  guarantee('a released lease is available at once, and only its holder can release it', async ({ control, time }) => {
    const { leases } = control;
    const first = await claimOf(control);
    for (const other of [
      { ...first, holder: 'other' },
      { ...first, epoch: 2 },
      { ...first, name: 'other' },
    ])
      await leases.release(other);
    expect(await leases.claim(first.name, 'other')).toBeNull();
    await leases.release(first);
    const second = await claimOf(control, first.name, 'other');
    expect(second.epoch).toBe(2);
    await leases.release(first);
    expect(await leases.claim(first.name, 'test')).toBeNull();
    expire(time);
  });

  guarantee('a gateway releases all its leases and no others, and their epochs go on', async ({ control, time }) => {
    const { leases } = control;
    const own = [await claimOf(control, randomUUID(), 'own'), await claimOf(control, randomUUID(), 'own')];
    const { name } = await claimOf(control);
    await leases.releaseAll('own');
    for (const claim of own) expect(await leases.claim(claim.name, 'other')).toMatchObject({ epoch: 2 });
    expect(await leases.claim(name, 'other')).toBeNull();
    expire(time);
  });
}

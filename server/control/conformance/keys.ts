import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { must } from '../../platform/assert.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { expectOneOf, expectSuccesses } from './race.ts';
import { all, anApp, auditedTimes, by, defaultOf, keyDraft } from './records.ts';

export function keyGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('of concurrent keys with one name one is created, and its name is free again once it is revoked', async ({ control, race }) => {
    const scope = await anApp(control);
    const create = () => race(({ keys }) => keys.create(by, scope, keyDraft('one'), null));
    const [first] = expectSuccesses(await create(), 1, 'Duplicate');
    expect(expectOneOf(await race(({ keys }) => keys.revoke(by, scope, first?.id ?? '')))).toBe(true);
    expect(await auditedTimes(control, scope.tenant_id, 'api_key.revoke', first?.id ?? '')).toBe(1);
    const [second] = expectSuccesses(await create(), 1, 'Duplicate');
    expect((await control.keys.list(scope, all)).data).toEqual([second]);
  });

  guarantee('keys stay within the limit, together with approved device sign-ins', async ({ control, time, race }) => {
    const scope = await anApp(control);
    const environment = await defaultOf(control, scope);
    const machines = Array.from({ length: 100 }, () => ({
      ...{ device_digest: randomBytes(32), user_digest: randomBytes(32), code_challenge: 'c', machine_name: 'm' },
      ...{ product_version: '1', ip: null, interval_seconds: 5, expires_at: time.in(600_000) },
    }));
    for (const machine of machines) await control.deviceSignIns.start(machine);
    const other = await anApp(control, scope.tenant_id);
    const elsewhere = { ...must(machines[0], 'there are some'), device_digest: randomBytes(32), user_digest: randomBytes(32) };
    await control.deviceSignIns.start(elsewhere);
    await control.deviceSignIns.approve(by, other, elsewhere.user_digest, (await defaultOf(control, other)).id, 1);
    await control.keys.create(by, scope, keyDraft('of a run', { run_id: 'r' }), null);
    const result = await race(async ({ keys, deviceSignIns }, index) => {
      if (index % 2 === 0) return keys.create(by, scope, keyDraft(`key ${index}`), 5);
      const { user_digest } = must(machines[(index - 1) / 2], 'there is one for each');
      return deviceSignIns.approve(by, scope, user_digest, environment.id, 5);
    });
    const created = expectSuccesses(result, 5, 'LimitReached');
    expect(result.errors[0]).toMatchObject({ current: 5, limit: 5 });
    const redeem = (machine: (typeof machines)[number]) =>
      control.deviceSignIns.redeem(by, scope, machine, { digest: randomBytes(32), key_prefix: 'sk', permissions: [] });
    for (const machine of machines) await redeem(machine);
    expect(created).toHaveLength(await control.keys.count(scope));
    expect((await control.keys.list(scope, all)).total).toBe(6);
  });

  guarantee('keys are active until they are revoked or expire', async ({ control, time }) => {
    const scope = await anApp(control);
    const create = async (name: string, expires_at: string | null) =>
      (await control.keys.create(by, scope, keyDraft(name, { expires_at }), null)).id;
    const ids = [await create('a', null), await create('b', time.in(1000)), await create('c', null), randomUUID()];
    const [kept, expiring, revoked] = ids;
    expect(await control.keys.active(ids)).toEqual(new Set([kept, expiring, revoked]));
    await control.keys.revoke(by, scope, must(revoked, 'it was created'));
    expect(await control.keys.active(ids)).toEqual(new Set([kept, expiring]));
    time.ms += 1000;
    expect(await control.keys.active(ids)).toEqual(new Set([kept]));
    await control.apps.remove(by, scope.tenant_id, scope.app_id);
    expect([await control.keys.active(ids), await control.keys.active([])]).toEqual([new Set(), new Set()]);
  });

  guarantee('a key is found by its digest, with its end', async ({ control, time }) => {
    const scope = await anApp(control);
    const { id: environment_id } = await defaultOf(control, scope);
    const draft = keyDraft('k', { environment_id, expires_at: time.in(1000) });
    const { id } = await control.keys.create(by, scope, draft, null);
    const known = { id, name: 'k', scope, environment_id, environment_kinds: null, run_id: null, expires_at: draft.expires_at };
    const expected = { ...known, permissions: new Set(draft.permissions), revoked_at: null };
    expect(await control.keys.findByDigest(draft.digest)).toEqual(expected);
    time.ms += 1000;
    expect(await control.keys.findByDigest(draft.digest)).toEqual(expected);
    await control.keys.revoke(by, scope, id);
    expect((await control.keys.findByDigest(draft.digest))?.revoked_at).toEqual(expect.any(String));
    expect(await control.keys.findByDigest(randomBytes(32))).toBeNull();
    expect(await control.keys.revoke(by, scope, randomUUID())).toBe(false);
  });

  guarantee('keys are listed newest first, without revoked ones', async ({ control }) => {
    const scope = await anApp(control);
    const made = [];
    for (const name of ['a', 'b', 'c', 'd']) made.push(await control.keys.create(by, scope, keyDraft(name), null));
    await control.keys.revoke(by, scope, made[2]?.id ?? '');
    expect(await control.keys.list(scope, { limit: 2, offset: 1 })).toEqual({ data: [made[1], made[0]], total: 3 });
  });

  guarantee('the use of a key is recorded at most once a minute', async ({ control, time, race }) => {
    const scope = await anApp(control);
    const { id } = await control.keys.create(by, scope, keyDraft('k'), null);
    const lastUse = async () => (await control.keys.list(scope, all)).data[0]?.last_used_at ?? null;
    expect(await lastUse()).toBeNull();
    const before = time.in(0);
    await race(({ keys }) => keys.touch(id));
    const first = await lastUse();
    expect((first ?? '') > before).toBe(true);
    await control.keys.touch(id);
    expect(await lastUse()).toBe(first);
    time.ms += 60_001;
    await control.keys.touch(id);
    expect(((await lastUse()) ?? '') > (first ?? '')).toBe(true);
  });
}

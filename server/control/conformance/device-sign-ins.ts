import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { must } from '../../platform/assert.ts';
import type { Scope } from '../../platform/scope.ts';
import type { ControlStore } from '../control-store.ts';
import type { DeviceDraft } from '../device-sign-in-store.ts';
import type { DeclareGuarantee, GuaranteeContext } from './guarantee.ts';
import { expectOneOf, expectSuccesses } from './race.ts';
import { all, aMember, anApp, by, defaultOf } from './records.ts';

const draftOf = (time: GuaranteeContext['time']): DeviceDraft => ({
  ...{ device_digest: randomBytes(32), user_digest: randomBytes(32), code_challenge: randomBytes(32).toString('base64url') },
  ...{ machine_name: 'laptop', product_version: '1', ip: null, interval_seconds: 5 },
  expires_at: time.in(600_000),
});

async function aRequest({ control, time }: Pick<GuaranteeContext, 'control' | 'time'>): Promise<DeviceDraft> {
  const draft = draftOf(time);
  await control.deviceSignIns.start(draft);
  return draft;
}

const aKey = () => ({ digest: randomBytes(32), key_prefix: 'sk', permissions: [] });

async function approve(control: ControlStore, scope: Scope, { user_digest }: DeviceDraft): Promise<void> {
  const { id } = await defaultOf(control, scope);
  must(await control.deviceSignIns.approve(by, scope, user_digest, id, null), 'it is pending');
}

export function deviceSignInGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('of concurrent decisions on a request one counts', async ({ control, time, race }) => {
    const [scope, other] = [await anApp(control), await anApp(control)];
    const { id } = await defaultOf(control, scope);
    for (const first of [0, 1]) {
      const request = await aRequest({ control, time });
      const result = await race(async ({ deviceSignIns }, index) => {
        const isApproval = index % 2 === first;
        const isDecided = isApproval
          ? await deviceSignIns.approve(by, scope, request.user_digest, id, null)
          : await deviceSignIns.deny(by, other.tenant_id, request.user_digest);
        return isDecided && { isApproval };
      });
      const { isApproval } = expectOneOf(result);
      const state = await control.deviceSignIns.poll(request);
      expect(state).toEqual(isApproval ? { status: 'approved', scope, decided_by: 'system:test' } : { status: 'denied' });
    }
  });

  guarantee('an approved request gives one key', async ({ control, time, race }) => {
    const scope = await anApp(control);
    const request = await aRequest({ control, time });
    await approve(control, scope, request);
    const redeemed = await race(({ deviceSignIns }) => deviceSignIns.redeem(by, scope, request, aKey()));
    expect(expectOneOf(redeemed)).toEqual({ environment: 'dev' });
    expect([await control.keys.count(scope), await control.deviceSignIns.poll(request)]).toEqual([1, null]);
  });

  guarantee('a new password by a link denies what the user has approved, and the first identity does', async ({ control, time }) => {
    const scope = await anApp(control);
    const environment = (await defaultOf(control, scope)).id;
    const [user, other] = [await aMember(control, scope.tenant_id, 'write'), await aMember(control, scope.tenant_id, 'write')];
    const requestApprovedBy = async (id: string) => {
      const request = await aRequest({ control, time });
      await control.deviceSignIns.approve({ kind: 'user', id, ip: null }, scope, request.user_digest, environment, null);
      return request;
    };
    const resetPassword = async () => {
      const digest = randomBytes(32);
      await control.users.setPassword(by, user, 'forgotten');
      await control.passwordResets.create(by, user, { digest, expires_at: time.in(600_000) }, 1);
      expect(await control.passwordResets.use(by, digest, 'new')).toBe(true);
    };
    for (const change of [resetPassword, () => control.users.link(by, user, { issuer: 'first', subject: user })]) {
      const [ended, kept] = [await requestApprovedBy(user), await requestApprovedBy(other)];
      await change();
      expect(await control.deviceSignIns.poll(ended)).toEqual({ status: 'denied' });
      expect(await control.deviceSignIns.redeem(by, scope, ended, aKey())).toBeNull();
      expect(await control.deviceSignIns.poll(kept)).toMatchObject({ status: 'approved', decided_by: other });
    }
  });

  guarantee('machines of one name get keys of different names', async ({ control, time, race }) => {
    const scope = await anApp(control);
    const requests: DeviceDraft[] = [];
    for (let number = 0; number < 5; number++) requests.push(await aRequest({ control, time }));
    for (const request of requests) await approve(control, scope, request);
    const { values, errors } = await race(({ deviceSignIns }, index) =>
      deviceSignIns.redeem(by, scope, requests[index % requests.length] as DeviceDraft, aKey()),
    );
    expect([errors, values.filter((redeemed) => redeemed !== null).length]).toEqual([[], requests.length]);
    const names = (await control.keys.list(scope, all)).data.map(({ name }) => name).sort();
    expect(names).toEqual(['laptop', 'laptop 2', 'laptop 3', 'laptop 4', 'laptop 5']);
  });

  guarantee('two machines never display the same code at the same time', async ({ time, race }) => {
    const { user_digest } = draftOf(time);
    expectSuccesses(await race(({ deviceSignIns }) => deviceSignIns.start({ ...draftOf(time), user_digest })), 1, 'Duplicate');
  });

  guarantee('a key is created for the app that was approved, and for no other', async ({ control, time }) => {
    const first = await anApp(control);
    const scopes = [first, await anApp(control, first.tenant_id), await anApp(control)];
    for (const scope of scopes) {
      const request = await aRequest({ control, time });
      await approve(control, scope, request);
      const mixed = scopes.map(({ tenant_id }) => ({ ...scope, tenant_id })).filter(({ tenant_id }) => tenant_id !== scope.tenant_id);
      for (const foreign of [...scopes.filter((candidate) => candidate !== scope), ...mixed])
        expect(await control.deviceSignIns.redeem(by, foreign, request, aKey())).toBeNull();
      const stranger = { ...request, code_challenge: 'of another machine' };
      expect(await control.deviceSignIns.redeem(by, scope, stranger, aKey())).toBeNull();
      expect(await control.deviceSignIns.poll(stranger)).toBeNull();
      const counts = () => Promise.all(scopes.map((candidate) => control.keys.count(candidate)));
      const before = await counts();
      expect(await control.deviceSignIns.redeem(by, scope, request, aKey())).toEqual({ environment: 'dev' });
      expect(await counts()).toEqual(before.map((count, index) => (scopes[index] === scope ? count + 1 : count)));
    }
  });

  guarantee('an environment of another app creates no key and changes nothing', async ({ control, time }) => {
    const [first, second] = [await anApp(control), await anApp(control)];
    const request = await aRequest({ control, time });
    await control.deviceSignIns.approve(by, first, request.user_digest, (await defaultOf(control, second)).id, null);
    expect(await control.deviceSignIns.redeem(by, first, request, aKey())).toBeNull();
    expect((await control.keys.list(first, all)).total).toBe(0);
  });

  guarantee('a decided request is not found by its code, in any tenant', async ({ control, time }) => {
    const [scope, other] = [await anApp(control), await anApp(control)];
    const request = await aRequest({ control, time });
    const { machine_name, product_version, ip, expires_at } = request;
    const shown = { machine_name, product_version, ip, expires_at, created_at: expect.any(String) };
    expect(await control.deviceSignIns.findPending(request.user_digest)).toEqual(shown);
    await approve(control, scope, request);
    expect(await control.deviceSignIns.findPending(request.user_digest)).toBeNull();
    const { id } = await defaultOf(control, other);
    expect(await control.deviceSignIns.approve(by, other, request.user_digest, id, null)).toBeNull();
    expect(await control.deviceSignIns.deny(by, other.tenant_id, request.user_digest)).toBe(false);
  });

  guarantee('a machine that asks too early must wait longer', async ({ control, time }) => {
    const request = await aRequest({ control, time });
    expect(await control.deviceSignIns.poll(request)).toEqual({ status: 'pending', interval_seconds: 5 });
    expect(await control.deviceSignIns.poll(request)).toEqual({ status: 'slow_down', interval_seconds: 10 });
    time.ms += 10_000;
    expect(await control.deviceSignIns.poll(request)).toEqual({ status: 'pending', interval_seconds: 10 });
  });

  guarantee('a request ends with its app, and when it expires', async ({ control, time }) => {
    const scope = await anApp(control);
    const [request, old] = [await aRequest({ control, time }), await aRequest({ control, time })];
    await approve(control, scope, request);
    await control.apps.remove(by, scope.tenant_id, scope.app_id);
    expect(await control.deviceSignIns.poll(request)).toBeNull();
    time.ms += 600_000;
    expect([await control.deviceSignIns.poll(old), await control.deviceSignIns.findPending(old.user_digest)]).toEqual([null, null]);
    const again = { ...draftOf(time), user_digest: old.user_digest };
    await expect(control.deviceSignIns.start(again)).resolves.toBeUndefined();
  });
}

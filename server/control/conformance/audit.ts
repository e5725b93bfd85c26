import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Actor } from '../actor.ts';
import type { AuditFilter } from '../audit-log.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { all, anApp, aTenant, aUser, by, defaultOf } from './records.ts';

export function auditGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('each of many concurrent actions has an entry of its own', async ({ control, race }) => {
    const { tenant_id, app_id } = await anApp(control);
    const scope = { tenant_id, app_id };
    const before = (await control.audit.list(tenant_id, all)).total;
    const { errors } = await race(({ audit }, index) => audit.recordRefusal(by, scope, `route ${index}`));
    expect(errors).toEqual([]);
    const { data, total } = await control.audit.list(tenant_id, { limit: 200, offset: 0 });
    expect([total - before, new Set(data.map(({ id }) => id)).size]).toEqual([200, 200]);
    expect(new Set(data.map(({ target }) => target)).size).toBe(200);
    expect(data.map(({ id }) => id)).toEqual(data.map(({ id }) => id).sort((a, b) => b - a));
  });

  guarantee('entries tell who did what to which record, newest first, of one tenant', async ({ control }) => {
    const tenantId = await aTenant(control);
    const user: Actor = { kind: 'user', id: randomUUID(), ip: '192.0.2.1' };
    await control.audit.recordRefusal(user, { tenant_id: tenantId, app_id: '' }, 'create-app');
    await control.audit.recordDeletion(user, { tenant_id: tenantId, app_id: 'a' }, 'd', { traces: 1, spans: 2 });
    const about = { id: expect.any(Number), at: expect.any(String), actor_kind: 'user', actor_id: user.id, ip: user.ip };
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
    const changes = [
      { field: 'traces', before: 1 },
      { field: 'spans', before: 2 },
    ];
    const page = await control.audit.list(tenantId, { limit: 2, offset: 0 });
    expect(page).toEqual({
      data: [
        { ...about, app_id: 'a', action: 'trace.delete', target: 'd', before_hash: hash, after_hash: null, changes },
        { ...about, app_id: null, action: 'refused', target: 'create-app', before_hash: null, after_hash: null, changes: null },
      ],
      total: 3,
    });
    expect((await control.audit.list(tenantId, { limit: 1, offset: 2 })).data[0]?.action).toBe('tenant.create');
  });

  guarantee('entries are found by actor, action or resource, target, app and time', async ({ control, time }) => {
    const { tenant_id, app_id } = await anApp(control);
    time.ms += 1000;
    const from = time.ms;
    const user: Actor = { kind: 'user', id: randomUUID(), ip: null };
    await control.apps.update(user, tenant_id, app_id, { name: 'renamed' });
    time.ms += 1000;
    const to = time.ms;
    await control.audit.recordRefusal(user, { tenant_id, app_id: '' }, 'app');
    const actions = async (filter: AuditFilter) =>
      (await control.audit.list(tenant_id, { ...all, ...filter })).data.map(({ action }) => action);
    expect(await actions({ actor: user.id })).toEqual(['refused', 'app.update']);
    expect([await actions({ action: 'app' }), await actions({ action: 'app.update' })]).toEqual([
      ['app.update', 'app.create'],
      ['app.update'],
    ]);
    expect([await actions({ action: 'ap' }), await actions({ action: '%' }), await actions({ action: 'app.' })]).toEqual([[], [], []]);
    expect([await actions({ target: 'app' }), await actions({ app_id, from })]).toEqual([['refused'], ['app.update']]);
    expect([await actions({ from, to }), await actions({ from: to }), await actions({ to: from, app_id })]).toEqual([
      ['app.update'],
      ['refused'],
      ['app.create'],
    ]);
    expect((await control.audit.list(tenant_id, { limit: 1, offset: 0, actor: user.id })).total).toBe(2);
    expect((await control.audit.list(await aTenant(control), { ...all, actor: user.id })).data).toEqual([]);
  });

  guarantee('a change of an account and a refused sign-in have an entry in each tenant of the user', async ({ control }) => {
    const [one, two, other] = [await aTenant(control), await aTenant(control), await aTenant(control)];
    const id = await aUser(control, 'old');
    for (const tenantId of [one, two]) await control.tenants.setMember(by, tenantId, id, 'read');
    await control.users.setPassword(by, id, 'new');
    await control.audit.recordRefusedSignIn(id, '192.0.2.1');
    for (const tenantId of [one, two]) {
      const { data } = await control.audit.list(tenantId, { limit: 2, offset: 0, target: id });
      expect(data.map(({ action, actor_id, ip, changes }) => [action, actor_id, ip, changes])).toEqual([
        ['session.refuse', 'sign-in', '192.0.2.1', null],
        ['user.password', by.id, by.ip, null],
      ]);
    }
    expect((await control.audit.list(other, { ...all, target: id })).data).toEqual([]);
  });

  guarantee('names are those of people, and of keys, apps and environments of the tenant', async ({ control }) => {
    const [scope, other] = [await anApp(control), await anApp(control)];
    const [user, environment] = [await aUser(control), (await defaultOf(control, scope)).id];
    const app = await control.apps.find(scope.tenant_id, scope.app_id);
    const ids = new Set([user, scope.app_id, environment, other.app_id, 'create-app']);
    const names = await control.audit.names(scope.tenant_id, ids);
    expect([...names.keys()].toSorted()).toEqual([user, scope.app_id, environment].toSorted());
    expect([names.get(scope.app_id), names.get(environment), names.get(user)]).toEqual([app?.name, 'dev', expect.stringContaining('@')]);
    expect((await control.audit.names(scope.tenant_id, new Set())).size).toBe(0);
  });

  guarantee('what was acknowledged is there after the store is opened again', async ({ location, time }) => {
    const { open } = location();
    const first = await open(time);
    const scope = await anApp(first);
    await first.audit.recordRefusal(by, scope, 'x');
    const read = async ({ apps, audit }: typeof first) => [
      await apps.find(scope.tenant_id, scope.app_id),
      await audit.list(scope.tenant_id, all),
    ];
    const before = await read(first);
    await first.stop();
    expect(await read(await open(time))).toEqual(before);
  });
}

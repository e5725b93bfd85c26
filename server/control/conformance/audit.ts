import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Actor } from '../actor.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { all, anApp, aTenant, by } from './records.ts';

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
    const page = await control.audit.list(tenantId, { limit: 2, offset: 0 });
    expect(page).toEqual({
      data: [
        { ...about, app_id: 'a', action: 'trace.delete', target: 'd', before_hash: hash, after_hash: null },
        { ...about, app_id: null, action: 'refused', target: 'create-app', before_hash: null, after_hash: null },
      ],
      total: 3,
    });
    expect((await control.audit.list(tenantId, { limit: 1, offset: 2 })).data[0]?.action).toBe('tenant.create');
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

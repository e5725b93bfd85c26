import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { App } from '../app-store.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { expectOneOf, expectSuccesses } from './race.ts';
import { all, anApp, appDraft, aTenant, auditedTimes, by } from './records.ts';

export function appGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('of concurrent apps of a tenant with one name one is created', async ({ control, race }) => {
    const [tenantId, other] = [await aTenant(control), await aTenant(control)];
    const [created] = expectSuccesses(await race(({ apps }) => apps.create(by, tenantId, appDraft('one'), null)), 1, 'Duplicate');
    expect(await control.apps.list(tenantId, all)).toEqual({ data: [created], total: 1 });
    expect(await control.apps.create(by, other, appDraft('one'), null)).toMatchObject({ name: 'one' });
  });

  guarantee('apps stay within the limit, however many are created at once', async ({ control, race }) => {
    const tenantId = await aTenant(control);
    const result = await race(({ apps }, index) => apps.create(by, tenantId, appDraft(`app ${index}`), 5));
    expectSuccesses(result, 5, 'LimitReached');
    expect(result.errors[0]).toMatchObject({ current: 5, limit: 5 });
    expect((await control.apps.list(tenantId, all)).total).toBe(5);
  });

  guarantee('of two apps that get one name at once one keeps it', async ({ control, race }) => {
    const tenantId = await aTenant(control);
    const scopes = [await anApp(control, tenantId), await anApp(control, tenantId)];
    const result = await race(({ apps }, index) => apps.update(by, tenantId, scopes[index % 2]?.app_id ?? '', { name: 'taken' }));
    const renamed = expectSuccesses(result, 100, 'Duplicate');
    expect(new Set(renamed.map((app) => app?.id)).size).toBe(1);
    expect(await control.apps.list(tenantId, { ...all, name: 'taken' })).toMatchObject({ total: 1, data: [{ id: renamed[0]?.id }] });
  });

  guarantee('an app has a default environment and can be found until it is removed, once', async ({ control, race }) => {
    const scope = await anApp(control);
    const { tenant_id, app_id } = scope;
    expect(await control.environments.findDefault(scope)).toMatchObject({ name: 'dev', is_default: true, kind: 'development', epoch: 1 });
    expect(await control.apps.find(tenant_id, app_id)).toMatchObject({ id: app_id });
    expect(await control.apps.existing([app_id, ''])).toEqual(new Set([app_id]));
    expect(expectOneOf(await race(({ apps }) => apps.remove(by, tenant_id, app_id)))).toBe(true);
    expect(await control.apps.existing([app_id])).toEqual(new Set());
    expect([await control.apps.find(tenant_id, app_id), await control.environments.findDefault(scope)]).toEqual([null, null]);
    expect(await auditedTimes(control, tenant_id, 'app.delete', app_id)).toBe(1);
    const entries = (await control.appErasures.pending(0, 10_000)).filter((entry) => entry.scope.app_id === app_id);
    expect(entries).toEqual([{ position: expect.any(Number), scope }]);
    expect(await control.apps.update(by, tenant_id, app_id, { name: 'x' })).toBeNull();
    expect(await control.apps.remove(by, tenant_id, randomUUID())).toBe(false);
  });

  guarantee('the erasure of an app is pending, in order, until it has arrived', async ({ control }) => {
    const scopes = [await anApp(control), await anApp(control), await anApp(control)];
    const last = (await control.appErasures.pending(0, 10_000)).at(-1)?.position ?? 0;
    for (const { tenant_id, app_id } of scopes) await control.apps.remove(by, tenant_id, app_id);
    const entries = await control.appErasures.pending(last, 100);
    expect(entries.map(({ scope }) => scope)).toEqual(scopes);
    expect(await control.appErasures.pending(last, 1)).toEqual(entries.slice(0, 1));
    expect(await control.appErasures.pending(entries[0]?.position ?? 0, 100)).toEqual(entries.slice(1));
    for (let time = 0; time < 2; time++) await control.appErasures.arrived(entries[1]?.position ?? 0);
    expect(await control.appErasures.pending(last, 100)).toEqual([entries[0], entries[2]]);
  });

  guarantee('apps are listed newest first, and by name', async ({ control }) => {
    const tenantId = await aTenant(control);
    const made: App[] = [];
    for (const name of ['a', 'b', 'c']) made.push(await control.apps.create(by, tenantId, appDraft(name), null));
    const changed = await control.apps.update(by, tenantId, made[0]?.id ?? '', { display_name: 'A', entry_point: undefined });
    expect(changed).toMatchObject({ ...made[0], display_name: 'A', updated_at: expect.any(String), updated_by: 'system:test' });
    expect(await control.apps.list(tenantId, { limit: 2, offset: 1 })).toEqual({ data: [made[1], changed], total: 3 });
    expect(await control.apps.list(tenantId, { ...all, name: 'b' })).toEqual({ data: [made[1]], total: 1 });
    expect(await control.apps.list(tenantId, { ...all, name: 'B' })).toEqual({ data: [], total: 0 });
  });
}

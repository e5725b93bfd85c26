import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { ControlStore } from '../control-store.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { expectOneOf, expectSuccesses } from './race.ts';
import { aMember, aTenant, aUser, auditedTimes, by } from './records.ts';

const ownersOf = async (control: ControlStore, tenantId: string) =>
  (await control.tenants.members(tenantId)).filter(({ role }) => role === 'owner').length;

export function tenantGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('of concurrent tenants with one name one is created', async ({ control, race }) => {
    const name = randomUUID();
    const [created] = expectSuccesses(await race((store) => store.tenants.create(by, { name, plan: 'free' })), 1, 'Duplicate');
    expect((await control.tenants.list()).filter((tenant) => tenant.name === name)).toEqual([created]);
  });

  guarantee('tenants are listed by name in code-unit order', async ({ control }) => {
    const prefix = randomUUID();
    for (const name of ['b', 'ä', 'B', 'a']) await control.tenants.create(by, { name: `${prefix} ${name}`, plan: 'free' });
    const names = (await control.tenants.list()).map(({ name }) => name).filter((name) => name.startsWith(prefix));
    expect(names).toEqual(['B', 'a', 'b', 'ä'].map((name) => `${prefix} ${name}`));
  });

  guarantee('a plan is changed, and recorded when it is another', async ({ control }) => {
    const id = await aTenant(control);
    const changed = await control.tenants.setPlan(by, id, 'growth');
    expect(changed).toMatchObject({ id, plan: 'growth' });
    expect(await control.tenants.setPlan(by, id, 'growth')).toEqual(changed);
    expect(await control.tenants.find(id)).toEqual(changed);
    expect(await auditedTimes(control, id, 'tenant.plan', id)).toBe(1);
    expect([await control.tenants.setPlan(by, randomUUID(), 'free'), await control.tenants.find(randomUUID())]).toEqual([null, null]);
  });

  guarantee('owners who remove or demote each other at once leave one', async ({ control, race }) => {
    const tenantId = await aTenant(control);
    const owners = [await aMember(control, tenantId, 'owner'), await aMember(control, tenantId, 'owner')];
    const { errors } = await race(async ({ tenants }, index) => {
      const owner = owners[index % 2] as string;
      if (index % 3 === 0) return tenants.removeMember(by, tenantId, owner, 'owner');
      if (index % 3 === 1) return tenants.changeRole(by, tenantId, owner, 'owner', 'read');
      return tenants.setMember(by, tenantId, owner, 'write');
    });
    expect(await ownersOf(control, tenantId)).toBe(1);
    expect(new Set(errors.map(({ name }) => name))).toEqual(new Set(['LastOwner']));
  });

  guarantee('the only owner stays, until there is another', async ({ control, race }) => {
    const tenantId = await aTenant(control);
    const owner = await aMember(control, tenantId, 'owner');
    expectSuccesses(await race(({ tenants }) => tenants.removeMember(by, tenantId, owner, 'owner')), 0, 'LastOwner');
    await expect(control.tenants.setMember(by, tenantId, owner, 'read')).rejects.toMatchObject({ name: 'LastOwner' });
    await expect(control.tenants.changeRole(by, tenantId, owner, 'owner', 'admin')).rejects.toMatchObject({ name: 'LastOwner' });
    expect(await control.tenants.changeRole(by, tenantId, owner, 'owner', 'owner')).toBe(true);
    await aMember(control, tenantId, 'owner');
    expect(await control.tenants.removeMember(by, tenantId, owner, 'owner')).toBe(true);
  });

  guarantee('of concurrent changes of one role and removals of the member with it one succeeds', async ({ control, race }) => {
    const tenantId = await aTenant(control);
    const member = await aMember(control, tenantId, 'read');
    const isRemoval = (index: number) => index % 2 === 1;
    const result = await race(async ({ tenants }, index) => {
      const isDone = isRemoval(index)
        ? await tenants.removeMember(by, tenantId, member, 'read')
        : await tenants.changeRole(by, tenantId, member, 'read', 'write');
      return isDone && { isGone: isRemoval(index) };
    });
    const { isGone } = expectOneOf(result);
    expect((await control.tenants.findMember(tenantId, member))?.role).toBe(isGone ? undefined : 'write');
  });

  guarantee('a member who left is not added again by a change of their role', async ({ control }) => {
    const tenantId = await aTenant(control);
    const member = await aMember(control, tenantId, 'read');
    expect(await control.tenants.removeMember(by, tenantId, member, 'read')).toBe(true);
    expect(await control.tenants.changeRole(by, tenantId, member, 'read', 'write')).toBe(false);
    expect(await control.tenants.removeMember(by, tenantId, member, 'read')).toBe(false);
    expect(await control.tenants.findMember(tenantId, member)).toBeNull();
  });

  guarantee('members and memberships are in the order of joining', async ({ control }) => {
    const [first, second] = [await aTenant(control), await aTenant(control)];
    const members = [await aMember(control, first, 'owner'), await aMember(control, first, 'write'), await aMember(control, first, 'read')];
    await control.tenants.setMember(by, second, members[2] as string, 'owner');
    await control.tenants.setMember(by, first, members[2] as string, 'admin');
    expect((await control.tenants.members(first)).map(({ id, role }) => [id, role])).toEqual([
      [members[0], 'owner'],
      [members[1], 'write'],
      [members[2], 'admin'],
    ]);
    const memberships = await control.tenants.memberships(members[2] as string);
    expect(memberships.map(({ tenant, role }) => [tenant.id, role])).toEqual([
      [first, 'admin'],
      [second, 'owner'],
    ]);
    expect(await control.tenants.memberships(await aUser(control))).toEqual([]);
  });

  guarantee('the logins of a member to the tenant end with the membership', async ({ control, time }) => {
    const [first, second] = [await aTenant(control), await aTenant(control)];
    const user_id = await aMember(control, first, 'read');
    await control.tenants.setMember(by, second, user_id, 'read');
    const login = (tenant_id: string) => control.sessions.start(by, { user_id, tenant_id, expires_at: time.in(60_000) });
    const [ended, kept] = [await login(first), await login(second)];
    await control.tenants.removeMember(by, first, user_id, 'read');
    expect([await control.sessions.find(ended.id), await control.sessions.find(kept.id)]).toEqual([null, kept]);
  });
}

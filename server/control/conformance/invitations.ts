import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { InvitationDraft } from '../invitation-store.ts';
import type { DeclareGuarantee, GuaranteeContext } from './guarantee.ts';
import { expectOneOf, expectSuccesses } from './race.ts';
import { aMember, aTenant, aUser, auditedTimes, by } from './records.ts';

const draftTo = (time: GuaranteeContext['time'], email: string): InvitationDraft => ({
  ...{ email, name: null, role: 'write', digest: randomBytes(32) },
  expires_at: time.in(600_000),
});

export function invitationGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('an invitation is accepted once', async ({ control, time, race }) => {
    const tenantId = await aTenant(control);
    const invitation = await control.invitations.create(by, tenantId, draftTo(time, 'guest@a.test'), null);
    const users = [await aUser(control), await aUser(control)];
    const joined = expectOneOf(
      await race(async ({ invitations }, index) => {
        const user = users[index % 2] as string;
        return (await invitations.accept(by, invitation, user)) && user;
      }),
    );
    expect((await control.tenants.members(tenantId)).map(({ id, role }) => [id, role])).toEqual([[joined, 'write']]);
    expect(await control.invitations.list(tenantId)).toEqual([]);
  });

  guarantee('an invitation that is accepted and withdrawn at once is one of both', async ({ control, time, race }) => {
    const tenantId = await aTenant(control);
    const invitation = await control.invitations.create(by, tenantId, draftTo(time, 'guest@a.test'), null);
    const user = await aUser(control);
    const result = await race(async ({ invitations }, index) => {
      if (index % 2 === 0) return (await invitations.remove(by, tenantId, invitation.id)) && { isMember: false };
      return (await invitations.accept(by, invitation, user)) && { isMember: true };
    });
    const { isMember } = expectOneOf(result);
    expect((await control.tenants.findMember(tenantId, user)) !== null).toBe(isMember);
  });

  guarantee('an address has one invitation of a tenant, however many are made at once', async ({ control, time, race }) => {
    const tenantId = await aTenant(control);
    const email = `${randomUUID()}@a.test`;
    const drafts = new Map<string, InvitationDraft>();
    const { values, errors } = await race(async ({ invitations }, index) => {
      const draft = draftTo(time, index % 2 === 0 ? email : email.toUpperCase());
      const invitation = await invitations.create(by, tenantId, draft, 1);
      drafts.set(invitation.id, draft);
      return invitation;
    });
    expect(errors).toEqual([]);
    const [last, ...more] = await control.invitations.list(tenantId);
    expect([more, values.filter(({ id }) => id === last?.id)]).toEqual([[], [last]]);
    const found = await Promise.all([...drafts.values()].map(({ digest }) => control.invitations.find(digest)));
    expect(found.filter((invitation) => invitation !== null)).toEqual([last]);
  });

  guarantee('members and invitations together stay within the limit', async ({ control, time, race }) => {
    const tenantId = await aTenant(control);
    await aMember(control, tenantId, 'owner');
    const expired = await control.invitations.create(by, tenantId, { ...draftTo(time, 'late@a.test'), expires_at: time.in(0) }, null);
    const result = await race(({ invitations }, index) => invitations.create(by, tenantId, draftTo(time, `${index}@a.test`), 4));
    const created = expectSuccesses(result, 3, 'LimitReached');
    expect(result.errors[0]).toMatchObject({ current: 4, limit: 4 });
    expect((await control.invitations.list(tenantId)).map(({ id }) => id).sort()).toEqual(created.map(({ id }) => id).sort());
    const again = await control.invitations.create(by, tenantId, draftTo(time, created[0]?.email ?? ''), 4);
    expect(again.id).not.toBe(created[0]?.id);
    expect(await auditedTimes(control, tenantId, 'invitation.create', expired.id)).toBe(1);
  });

  guarantee('a member is not invited again, and keeps their role', async ({ control, time }) => {
    const tenantId = await aTenant(control);
    const member = await control.users.ensure(by, { email: `${randomUUID()}@a.test`, name: null, password_hash: null });
    const draft = draftTo(time, member.email);
    const invitation = await control.invitations.create(by, tenantId, draft, null);
    await control.tenants.setMember(by, tenantId, member.id, 'admin');
    expect(await control.invitations.accept(by, invitation, member.id)).toBe(true);
    expect((await control.tenants.findMember(tenantId, member.id))?.role).toBe('admin');
    const again = control.invitations.create(by, tenantId, draftTo(time, member.email.toUpperCase()), 0);
    await expect(again).rejects.toMatchObject({ name: 'Duplicate' });
    expect(await control.invitations.create(by, await aTenant(control), draftTo(time, member.email), 1)).toMatchObject({ role: 'write' });
  });

  guarantee('an invitation is found by its code and by its address until it expires', async ({ control, time }) => {
    const email = `${randomUUID()}@a.test`;
    const tenants = [await aTenant(control), await aTenant(control)];
    const drafts = tenants.map(() => draftTo(time, email));
    const made = [];
    for (const [index, tenantId] of tenants.entries())
      made.push(await control.invitations.create(by, tenantId, drafts[index] as InvitationDraft, null));
    expect(await control.invitations.listTo(email.toUpperCase())).toEqual(made);
    expect(await control.invitations.find((drafts[0] as InvitationDraft).digest)).toEqual(made[0]);
    const [first] = made as [(typeof made)[number]];
    const user = await aUser(control);
    // The invitation of one tenant is no entrance to another.
    expect(await control.invitations.accept(by, { id: first.id, tenant_id: tenants[1] as string }, user)).toBe(false);
    expect(await control.invitations.remove(by, tenants[1] as string, first.id)).toBe(false);
    time.ms += 600_000;
    expect([await control.invitations.listTo(email), await control.invitations.list(tenants[0] as string)]).toEqual([[], []]);
    expect(await control.invitations.find((drafts[0] as InvitationDraft).digest)).toBeNull();
    expect(await control.invitations.accept(by, first, user)).toBe(false);
    expect(await control.invitations.remove(by, tenants[0] as string, first.id)).toBe(false);
  });
}

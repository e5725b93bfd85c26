import { fail } from '../../app/fail.ts';
import { Answer, defineModule } from '../../app/module.ts';
import { withinLimit } from '../../app/plan-limits.ts';
import { Duplicate } from '../../control/duplicate.ts';
import type { Invitation } from '../../control/invitation-store.ts';
import { LastOwner } from '../../control/last-owner.ts';
import type { Member, Role } from '../../control/tenant-store.ts';
import { type InvitationSent, readInviting, sendInvitation } from '../../identity/invitation-mail.ts';
import { newLinkCode } from '../../identity/link-code.ts';

/** Long enough for a holiday. */
const invitationMs = 7 * 24 * 60 * 60 * 1000;

const tooMany: InvitationSent = { email_sent: false, email_problem: 'Too many invitations were sent within an hour' };

const publicMember = ({ id, email, name, role, joined_at }: Member) => ({ id, email, name, role, joined_at });

const publicInvitation = ({ id, email, name, role, created_at, expires_at }: Invitation) => ({
  id,
  email,
  name,
  role,
  created_at,
  expires_at,
});

export const membersModule = defineModule({
  group: 'members',
  needs: ['control', 'plans', 'clock', 'mailer', 'rateLimits'],
  build: ({ control: { tenants, invitations, sessions }, plans, clock, mailer, rateLimits }) => {
    const roleOf = async (tenantId: string, userId: string) => (await tenants.findMember(tenantId, userId))?.role ?? null;
    return {
      list: async ({ scope }) => ({ data: (await tenants.members(scope.tenant_id)).map(publicMember) }),

      invite: async ({ scope: { tenant_id }, principal: { actor } }, { body: { email, name = null, role } }) => {
        assertMayManage(await roleOf(tenant_id, actor.id), [role]);
        const inviting = mailer && (await readInviting(tenants, tenant_id, actor.id));
        const { code, digest } = newLinkCode();
        const expires_at = new Date(clock.now() + invitationMs).toISOString();
        const draft = { email, name, role, digest, expires_at };
        const create = (max: number | null) => translateDuplicate(email, () => invitations.create(actor, tenant_id, draft, max));
        const invitation = await withinLimit(await plans.of(tenant_id), 'members', create);
        const isAdmitted = mailer !== null && (await rateLimits.admitMail('invitations', tenant_id, invitation.email));
        const sent = mailer && inviting && (isAdmitted ? await sendInvitation(mailer, inviting, invitation, code) : tooMany);
        return new Answer(201, { data: { ...publicInvitation(invitation), code, ...sent } });
      },

      invitations: async ({ scope }) => ({ data: (await invitations.list(scope.tenant_id)).map(publicInvitation) }),

      withdraw: async ({ scope, principal }, { params: { invitationId } }) => {
        const isRemoved = await invitations.remove(principal.actor, scope.tenant_id, invitationId.toLowerCase());
        if (!isRemoved) fail('invitation_not_found', `There is no invitation ${invitationId}`);
        return new Answer(204, undefined);
      },

      change: async ({ scope: { tenant_id }, principal: { actor } }, { params, body: { role } }) => {
        const userId = params.userId.toLowerCase();
        await againWhenChanged(async () => {
          const from = (await roleOf(tenant_id, userId)) ?? missing(params.userId);
          assertMayManage(await roleOf(tenant_id, actor.id), [from, role]);
          return tenants.changeRole(actor, tenant_id, userId, from, role);
        });
        return { data: publicMember((await tenants.findMember(tenant_id, userId)) ?? missing(params.userId)) };
      },

      endLogins: async ({ scope: { tenant_id }, principal: { actor } }, { params }) => {
        const userId = params.userId.toLowerCase();
        const role = (await roleOf(tenant_id, userId)) ?? missing(params.userId);
        assertMayManage(await roleOf(tenant_id, actor.id), [role]);
        await sessions.endIn(actor, tenant_id, userId);
        return new Answer(204, undefined);
      },

      remove: async ({ scope: { tenant_id }, principal: { actor } }, { params }) => {
        const userId = params.userId.toLowerCase();
        await againWhenChanged(async () => {
          const role = (await roleOf(tenant_id, userId)) ?? missing(params.userId);
          assertMayManage(await roleOf(tenant_id, actor.id), [role]);
          return tenants.removeMember(actor, tenant_id, userId, role);
        });
        return new Answer(204, undefined);
      },
    };
  },
});

/** Admins manage everybody but owners: else they could make themselves one. */
function assertMayManage(own: Role | null, touched: readonly Role[]): void {
  if (own !== 'owner' && touched.includes('owner')) fail('forbidden', 'Only an owner can add, change, sign out or remove an owner');
}

const missing = (userId: string): never => fail('member_not_found', `There is no member ${userId}`);

async function translateDuplicate<T>(email: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Duplicate) fail('duplicate_member', `${email} is a member already`);
    throw error;
  }
}

/** Checks and changes a member, again when somebody else changed their role in between. @param change false when that happened */
async function againWhenChanged(change: () => Promise<boolean>): Promise<void> {
  try {
    while (!(await change()));
  } catch (error) {
    if (error instanceof LastOwner) fail('last_owner', error.message);
    throw error;
  }
}

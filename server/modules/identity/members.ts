import { fail } from '../../app/fail.ts';
import { Answer, defineModule } from '../../app/module.ts';
import { assertBelowLimit } from '../../app/plan-limits.ts';
import type { Invitation } from '../../control/invitation-store.ts';
import { LastOwner } from '../../control/last-owner.ts';
import type { Member, Role } from '../../control/tenant-store.ts';
import { newInvitationCode } from '../../identity/invitation-code.ts';

/** Long enough for a holiday. */
const invitationMs = 7 * 24 * 60 * 60 * 1000;

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
  needs: ['control', 'plans', 'clock'],
  build: ({ control: { tenants, invitations }, plans, clock }) => {
    const roleOf = async (tenantId: string, userId: string) => (await tenants.findMember(tenantId, userId))?.role ?? null;
    return {
      list: async ({ scope }) => ({ data: (await tenants.members(scope.tenant_id)).map(publicMember) }),

      invite: async ({ scope: { tenant_id }, principal: { actor } }, { body: { email, name = null, role } }) => {
        assertMayManage(await roleOf(tenant_id, actor.id), [role]);
        const members = await tenants.members(tenant_id);
        if (members.some((member) => member.email === email.toLowerCase())) fail('duplicate_member', `${email} is a member already`);
        const pending = (await invitations.list(tenant_id)).filter((invitation) => invitation.email !== email.toLowerCase());
        assertBelowLimit(await plans.of(tenant_id), 'members', members.length + pending.length);
        const { code, digest } = newInvitationCode();
        const expires_at = new Date(clock.now() + invitationMs).toISOString();
        const invitation = await invitations.create(actor, tenant_id, { email, name, role, digest, expires_at });
        return new Answer(201, { data: { ...publicInvitation(invitation), code } });
      },

      invitations: async ({ scope }) => ({ data: (await invitations.list(scope.tenant_id)).map(publicInvitation) }),

      withdraw: async ({ scope, principal }, { params: { invitationId } }) => {
        const isRemoved = await invitations.remove(principal.actor, scope.tenant_id, invitationId.toLowerCase());
        if (!isRemoved) fail('invitation_not_found', `There is no invitation ${invitationId}`);
        return new Answer(204, undefined);
      },

      change: async ({ scope: { tenant_id }, principal: { actor } }, { params, body: { role } }) => {
        const userId = params.userId.toLowerCase();
        const currentRole = (await roleOf(tenant_id, userId)) ?? missing(params.userId);
        assertMayManage(await roleOf(tenant_id, actor.id), [currentRole, role]);
        await translateLastOwner(() => tenants.setMember(actor, tenant_id, userId, role));
        return { data: publicMember((await tenants.findMember(tenant_id, userId)) ?? missing(params.userId)) };
      },

      remove: async ({ scope: { tenant_id }, principal: { actor } }, { params }) => {
        const userId = params.userId.toLowerCase();
        const currentRole = (await roleOf(tenant_id, userId)) ?? missing(params.userId);
        assertMayManage(await roleOf(tenant_id, actor.id), [currentRole]);
        if (!(await translateLastOwner(() => tenants.removeMember(actor, tenant_id, userId)))) missing(params.userId);
        return new Answer(204, undefined);
      },
    };
  },
});

/** Admins manage everybody but owners: else they could make themselves one. */
function assertMayManage(own: Role | null, touched: readonly Role[]): void {
  if (own !== 'owner' && touched.includes('owner')) fail('forbidden', 'Only an owner can add, change or remove an owner');
}

const missing = (userId: string): never => fail('member_not_found', `There is no member ${userId}`);

async function translateLastOwner<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LastOwner) fail('last_owner', error.message);
    throw error;
  }
}

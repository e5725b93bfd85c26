import { randomBytes } from 'node:crypto';
import { roomFor } from '../app/entitled.ts';
import { fail } from '../app/fail.ts';
import { Answer, defineModule } from '../app/module.ts';
import { LastOwner } from '../control/last-owner.ts';
import type { Member, Role } from '../control/tenant-store.ts';
import { hashPassword } from '../identity/password.ts';
import { must } from '../platform/assert.ts';

const passwordBytes = 15;

const publicMember = ({ id, email, name, role, joined_at }: Member) => ({ id, email, name, role, joined_at });

export const membersModule = defineModule({
  group: 'members',
  needs: ['control', 'plans'],
  build: ({ control: { tenants, users }, plans }) => {
    const roleOf = async (tenantId: string, userId: string) => (await tenants.findMember(tenantId, userId))?.role ?? null;
    return {
      list: async ({ scope }) => ({ data: (await tenants.members(scope.tenant_id)).map(publicMember) }),

      add: async ({ scope: { tenant_id }, principal: { actor } }, { body: { email, name = null, role } }) => {
        onlyOwners(await roleOf(tenant_id, actor.id), [role]);
        const there = await tenants.members(tenant_id);
        if (there.some((member) => member.email === email.toLowerCase())) fail('duplicate_member', `${email} is a member already`);
        roomFor(await plans.of(tenant_id), 'members', there.length);
        // Somebody whom another tenant has added keeps the password they have: it is not for this one to know or change.
        const password = (await users.find(email)) === null ? randomBytes(passwordBytes).toString('base64url') : null;
        const user = await users.ensure(actor, { email, name, password_hash: password && (await hashPassword(password)) });
        await tenants.setMember(actor, tenant_id, user.id, role);
        const member = must(await tenants.findMember(tenant_id, user.id), 'who was just added is a member');
        return new Answer(201, { data: { ...publicMember(member), one_time_password: password } });
      },

      change: async ({ scope: { tenant_id }, principal: { actor } }, { params, body: { role } }) => {
        const userId = params.userId.toLowerCase();
        const before = (await roleOf(tenant_id, userId)) ?? missing(params.userId);
        onlyOwners(await roleOf(tenant_id, actor.id), [before, role]);
        await orTold(() => tenants.setMember(actor, tenant_id, userId, role));
        return { data: publicMember((await tenants.findMember(tenant_id, userId)) ?? missing(params.userId)) };
      },

      remove: async ({ scope: { tenant_id }, principal: { actor } }, { params }) => {
        const userId = params.userId.toLowerCase();
        const before = (await roleOf(tenant_id, userId)) ?? missing(params.userId);
        onlyOwners(await roleOf(tenant_id, actor.id), [before]);
        if (!(await orTold(() => tenants.removeMember(actor, tenant_id, userId)))) missing(params.userId);
        return new Answer(204, undefined);
      },
    };
  },
});

/** Admins manage everybody but owners: else they could make themselves one. */
function onlyOwners(own: Role | null, touched: readonly Role[]): void {
  if (own !== 'owner' && touched.includes('owner')) fail('forbidden', 'Only an owner can add, change or remove an owner');
}

const missing = (userId: string): never => fail('member_not_found', `There is no member ${userId}`);

async function orTold<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LastOwner) fail('last_owner', error.message);
    throw error;
  }
}

import { randomUUID } from 'node:crypto';
import { and, asc, eq } from 'drizzle-orm';
import type { Actor } from '../actor.ts';
import { LastOwner } from '../last-owner.ts';
import type { Member, Plan, Role, Tenant, TenantStore } from '../tenant-store.ts';
import { type ControlDatabase, conflictOn, countRows, orDuplicate, type Reads } from './control-database.ts';
import { leaveQueues } from './item-assignment-rows.ts';
import { members, tenants, users } from './schema/identity.ts';
import { userColumns } from './user-rows.ts';

const memberColumns = { ...userColumns, role: members.role, joined_at: members.joined_at };
const isMember = (tenantId: string, userId: string) => and(eq(members.tenant_id, tenantId), eq(members.user_id, userId));

export class TenantRows implements TenantStore {
  readonly #database: ControlDatabase;

  constructor(database: ControlDatabase) {
    this.#database = database;
  }

  async create(by: Actor, { name, plan }: Pick<Tenant, 'name' | 'plan'>): Promise<Tenant> {
    const id = randomUUID();
    return this.#database.write({ by, tenant_id: id, action: 'tenant.create', target: id }, async (write, created_at) => {
      const tenant = { id, name, plan, created_at };
      await orDuplicate('tenant', name, () => write.insert(tenants).values(tenant).run());
      return { result: tenant, after: tenant };
    });
  }

  async find(id: string): Promise<Tenant | null> {
    return (await this.#database.queries.select().from(tenants).where(eq(tenants.id, id)).get()) ?? null;
  }

  async list(): Promise<Tenant[]> {
    return this.#database.queries.select().from(tenants).orderBy(asc(tenants.name)).all();
  }

  async setPlan(by: Actor, id: string, plan: Plan): Promise<Tenant | null> {
    return this.#database.write({ by, tenant_id: id, action: 'tenant.plan', target: id }, async (write) => {
      const before = (await write.select().from(tenants).where(eq(tenants.id, id)).get()) ?? null;
      if (!before || before.plan === plan) return { result: before, unchanged: true };
      const after: Tenant = { ...before, plan };
      await write.update(tenants).set({ plan }).where(eq(tenants.id, id)).run();
      return { result: after, before, after };
    });
  }

  async setMember(by: Actor, tenant_id: string, user_id: string, role: Role): Promise<void> {
    await this.#database.write({ by, tenant_id, action: 'member.set', target: user_id }, async (write, joined_at) => {
      const before = await this.#member(write, tenant_id, user_id);
      if (role !== 'owner') await this.#assertNotLastOwner(write, before, tenant_id);
      const target = conflictOn(members.tenant_id, members.user_id);
      await write.insert(members).values({ tenant_id, user_id, role, joined_at }).onConflictDoUpdate({ target, set: { role } }).run();
      if (before && role === 'read') await leaveQueues(write, tenant_id, user_id, joined_at);
      return { result: undefined, before, after: await this.#member(write, tenant_id, user_id) };
    });
  }

  async changeRole(by: Actor, tenant_id: string, user_id: string, from: Role, role: Role): Promise<boolean> {
    return this.#database.write({ by, tenant_id, action: 'member.set', target: user_id }, async (write, now) => {
      const before = await this.#member(write, tenant_id, user_id);
      if (before?.role !== from) return { result: false, unchanged: true };
      if (role !== 'owner') await this.#assertNotLastOwner(write, before, tenant_id);
      await write.update(members).set({ role }).where(isMember(tenant_id, user_id)).run();
      if (role === 'read') await leaveQueues(write, tenant_id, user_id, now);
      return { result: true, before, after: await this.#member(write, tenant_id, user_id) };
    });
  }

  async removeMember(by: Actor, tenant_id: string, user_id: string, role: Role): Promise<boolean> {
    return this.#database.write({ by, tenant_id, action: 'member.remove', target: user_id }, async (write, now) => {
      const before = await this.#member(write, tenant_id, user_id);
      if (before?.role !== role) return { result: false, unchanged: true };
      await this.#assertNotLastOwner(write, before, tenant_id);
      await leaveQueues(write, tenant_id, user_id, now);
      await write.delete(members).where(isMember(tenant_id, user_id)).run();
      return { result: true, before };
    });
  }

  async findMember(tenantId: string, userId: string): Promise<Member | null> {
    return this.#member(this.#database.queries, tenantId, userId);
  }

  async members(tenantId: string): Promise<Member[]> {
    return this.#members(this.#database.queries)
      .where(eq(members.tenant_id, tenantId))
      .orderBy(asc(members.joined_at), asc(users.id))
      .all();
  }

  async memberships(userId: string): Promise<{ tenant: Tenant; role: Role }[]> {
    return this.#database.queries
      .select({ tenant: tenants, role: members.role })
      .from(members)
      .innerJoin(tenants, eq(tenants.id, members.tenant_id))
      .where(eq(members.user_id, userId))
      .orderBy(asc(members.joined_at), asc(tenants.id))
      .all();
  }

  #members(queries: Reads) {
    return queries.select(memberColumns).from(members).innerJoin(users, eq(users.id, members.user_id));
  }

  /** Within the transaction of the change, so that two owners who remove each other do not both succeed. */
  async #assertNotLastOwner(queries: Reads, member: Member | null, tenantId: string): Promise<void> {
    if (member?.role !== 'owner') return;
    const owners = and(eq(members.tenant_id, tenantId), eq(members.role, 'owner'));
    if ((await countRows(queries, members, owners)) === 1) throw new LastOwner();
  }

  async #member(queries: Reads, tenantId: string, userId: string): Promise<Member | null> {
    return (await this.#members(queries).where(isMember(tenantId, userId)).get()) ?? null;
  }
}

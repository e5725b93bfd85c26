import { randomUUID } from 'node:crypto';
import { and, asc, eq } from 'drizzle-orm';
import type { Actor } from '../actor.ts';
import { LastOwner } from '../last-owner.ts';
import type { Member, Plan, Role, Tenant, TenantStore } from '../tenant-store.ts';
import { type ControlDatabase, countRows, orDuplicate } from './control-database.ts';
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
    return this.#database.write({ by, tenant_id: id, action: 'tenant.create', target: id }, (write, created_at) => {
      const tenant = { id, name, plan, created_at };
      orDuplicate('tenant', name, () => write.insert(tenants).values(tenant).run());
      return { result: tenant, after: tenant };
    });
  }

  async find(id: string): Promise<Tenant | null> {
    return this.#database.queries.select().from(tenants).where(eq(tenants.id, id)).get() ?? null;
  }

  async list(): Promise<Tenant[]> {
    return this.#database.queries.select().from(tenants).orderBy(asc(tenants.name)).all();
  }

  async setPlan(by: Actor, id: string, plan: Plan): Promise<Tenant | null> {
    return this.#database.write({ by, tenant_id: id, action: 'tenant.plan', target: id }, (write) => {
      const before = write.select().from(tenants).where(eq(tenants.id, id)).get() ?? null;
      if (!before || before.plan === plan) return { result: before, unchanged: true };
      const after: Tenant = { ...before, plan };
      write.update(tenants).set({ plan }).where(eq(tenants.id, id)).run();
      return { result: after, before, after };
    });
  }

  async setMember(by: Actor, tenant_id: string, user_id: string, role: Role): Promise<void> {
    this.#database.write({ by, tenant_id, action: 'member.set', target: user_id }, (write, joined_at) => {
      const before = this.#member(tenant_id, user_id);
      if (role !== 'owner') this.#assertNotLastOwner(before, tenant_id);
      const target = [members.tenant_id, members.user_id];
      write.insert(members).values({ tenant_id, user_id, role, joined_at }).onConflictDoUpdate({ target, set: { role } }).run();
      return { result: undefined, before, after: this.#member(tenant_id, user_id) };
    });
  }

  async changeRole(by: Actor, tenant_id: string, user_id: string, from: Role, role: Role): Promise<boolean> {
    return this.#database.write({ by, tenant_id, action: 'member.set', target: user_id }, (write) => {
      const before = this.#member(tenant_id, user_id);
      if (before?.role !== from) return { result: false, unchanged: true };
      if (role !== 'owner') this.#assertNotLastOwner(before, tenant_id);
      write.update(members).set({ role }).where(isMember(tenant_id, user_id)).run();
      return { result: true, before, after: this.#member(tenant_id, user_id) };
    });
  }

  async removeMember(by: Actor, tenant_id: string, user_id: string, role: Role): Promise<boolean> {
    return this.#database.write({ by, tenant_id, action: 'member.remove', target: user_id }, (write) => {
      const before = this.#member(tenant_id, user_id);
      if (before?.role !== role) return { result: false, unchanged: true };
      this.#assertNotLastOwner(before, tenant_id);
      write.delete(members).where(isMember(tenant_id, user_id)).run();
      return { result: true, before };
    });
  }

  async findMember(tenantId: string, userId: string): Promise<Member | null> {
    return this.#member(tenantId, userId);
  }

  async members(tenantId: string): Promise<Member[]> {
    return this.#members().where(eq(members.tenant_id, tenantId)).orderBy(asc(members.joined_at), asc(users.id)).all();
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

  #members() {
    return this.#database.queries.select(memberColumns).from(members).innerJoin(users, eq(users.id, members.user_id));
  }

  /** Within the transaction of the change, so that two owners who remove each other do not both succeed. */
  #assertNotLastOwner(member: Member | null, tenantId: string): void {
    if (member?.role !== 'owner') return;
    const owners = and(eq(members.tenant_id, tenantId), eq(members.role, 'owner'));
    if (countRows(this.#database.queries, members, owners) === 1) throw new LastOwner();
  }

  #member(tenantId: string, userId: string): Member | null {
    return this.#members().where(isMember(tenantId, userId)).get() ?? null;
  }
}

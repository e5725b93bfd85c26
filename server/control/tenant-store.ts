import type { Actor } from './actor.ts';

export const plans = ['free', 'growth', 'team', 'enterprise'] as const;
export type Plan = (typeof plans)[number];
export const isPlan = (word: string): word is Plan => (plans as readonly string[]).includes(word);

/** Roles of a member in a tenant (docs/reference/access.md#roles). */
export const roles = ['owner', 'admin', 'write', 'read'] as const;
export type Role = (typeof roles)[number];

export interface Tenant {
  id: string;
  name: string;
  plan: Plan;
  created_at: string;
}

export interface User {
  id: string;
  /** In lower case, unique. */
  email: string;
  name: string | null;
  created_at: string;
}

export interface Member extends User {
  role: Role;
  joined_at: string;
}

/** Teams and the people in them. A user may belong to several. */
export interface TenantStore {
  /** @throws Duplicate when the name is taken */
  create(by: Actor, tenant: Pick<Tenant, 'name' | 'plan'>): Promise<Tenant>;
  find(id: string): Promise<Tenant | null>;
  /** Every tenant, by name in code-unit order. */
  list(): Promise<Tenant[]>;
  /** Takes effect with the next request. Null for an unknown tenant. */
  setPlan(by: Actor, id: string, plan: Plan): Promise<Tenant | null>;

  /**
   * Adds a user, or changes a member's role.
   * @throws LastOwner when the only owner would lose the role
   */
  setMember(by: Actor, tenantId: string, userId: string, role: Role): Promise<void>;
  /**
   * False when the member has left, or no longer has the role `from`.
   * @throws LastOwner when the only owner would lose the role
   */
  changeRole(by: Actor, tenantId: string, userId: string, from: Role, to: Role): Promise<boolean>;
  /**
   * Also ends the member's logins to the tenant. False for an unknown member, or one who no longer has the role.
   * @throws LastOwner for the only owner
   */
  removeMember(by: Actor, tenantId: string, userId: string, role: Role): Promise<boolean>;
  findMember(tenantId: string, userId: string): Promise<Member | null>;
  /** By time of joining. */
  members(tenantId: string): Promise<Member[]>;
  /** The tenants of a user with the role in each, in the order of joining. */
  memberships(userId: string): Promise<{ tenant: Tenant; role: Role }[]>;
}

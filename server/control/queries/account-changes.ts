/** Parts of every change of an account, within its transaction. */
import { and, eq } from 'drizzle-orm';
import type { Actor } from '../actor.ts';
import { logChange, type Queries } from './control-database.ts';
import { deviceSignIns } from './schema/device-sign-in.ts';
import { members, passwordResets } from './schema/identity.ts';

/** Tenant of audit entries that belong to none. */
export const noTenant = '';

/** Adds an entry in each tenant of the user, because all of them can be entered with the account. */
export async function logOfAccount(write: Queries, now: string, by: Actor, action: string, target: string, after?: object): Promise<void> {
  const teams = await write.select({ tenant_id: members.tenant_id }).from(members).where(eq(members.user_id, target)).all();
  for (const { tenant_id } of teams.length > 0 ? teams : [{ tenant_id: noTenant }])
    await logChange(write, { by, tenant_id, action, target }, now, { after });
}

/** Requests of machines that the user has approved, and that have no key yet, are denied. @param tenantId null for all tenants */
export async function denyApprovedDevices(write: Queries, now: string, by: Actor, userId: string, tenantId: string | null = null) {
  const ofTenant = tenantId === null ? undefined : eq(deviceSignIns.tenant_id, tenantId);
  const isApproved = and(eq(deviceSignIns.decided_by, userId), eq(deviceSignIns.status, 'approved'), ofTenant);
  for (const before of await write.select().from(deviceSignIns).where(isApproved).all()) {
    const { id, tenant_id, machine_name } = before;
    await write.update(deviceSignIns).set({ status: 'denied' }).where(eq(deviceSignIns.id, id)).run();
    const entry = { by, tenant_id: tenant_id ?? noTenant, action: 'device_sign_in.deny', target: id };
    await logChange(write, entry, now, { before: { machine_name, status: 'approved' }, after: { machine_name, status: 'denied' } });
  }
}

/** A reset does not outlive the password that it replaces. */
export async function endPasswordResets(write: Queries, userId: string): Promise<void> {
  await write.delete(passwordResets).where(eq(passwordResets.user_id, userId)).run();
}

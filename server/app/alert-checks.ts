/** What requests about alerts have in common. */

import type { AlertDraft } from '../control/alert-store.ts';
import type { ControlStore } from '../control/control-store.ts';
import type { Environment, EnvironmentStore } from '../control/environment-store.ts';
import type { Plans } from '../limits/plans.ts';
import type { Scope } from '../platform/scope.ts';
import { fail } from './fail.ts';
import { assertInPlan } from './plan-limits.ts';

export const assertAlertsInPlan = async (plans: Plans, { tenant_id }: Scope): Promise<void> =>
  assertInPlan(await plans.of(tenant_id), 'alerts_enabled');

export const missingAlert = (alertId: string): never => fail('alert_not_found', `There is no alert ${alertId}`);

/** Null for the whole app. */
export async function environmentOfApp(environments: EnvironmentStore, scope: Scope, id: string | null): Promise<Environment | null> {
  if (id === null) return null;
  const found = await environments.find(scope, id);
  if (found) return found;
  return fail('invalid_request_body', 'Invalid request body', {
    details: { environment_id: 'is not an environment of this app' },
    field: 'environment_id',
  });
}

type Receivers = Pick<AlertDraft, 'channel_ids' | 'owner_id'>;

/**
 * The channels are the app's, and the owner is a member of the team. Those that a stored alert has may stay: they may have been deleted, or have
 * left, since it was saved.
 */
export async function assertReceivers(
  { alertChannels, tenants }: Pick<ControlStore, 'alertChannels' | 'tenants'>,
  scope: Scope,
  { channel_ids, owner_id }: Receivers,
  stored: Receivers = { channel_ids: [], owner_id: null },
): Promise<void> {
  const refuse = (field: string, problem: string) =>
    fail('invalid_request_body', 'Invalid request body', { details: { [field]: problem }, field });
  const added = channel_ids.filter((id) => !stored.channel_ids.includes(id));
  const known = added.length === 0 ? [] : (await alertChannels.list(scope)).map(({ id }) => id);
  if (!added.every((id) => known.includes(id))) refuse('channel_ids', 'names a channel that the app does not have');
  const isNewOwner = owner_id !== null && owner_id !== stored.owner_id;
  if (isNewOwner && !(await tenants.findMember(scope.tenant_id, owner_id))) refuse('owner_id', 'is not a member of the team');
}

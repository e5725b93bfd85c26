/** What requests about alerts have in common. */

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

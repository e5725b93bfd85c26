import { LimitReached } from '../control/limit-reached.ts';
import type { PlanLimits } from '../limits/plan-table.ts';
import { fail } from './fail.ts';

type CountedEntitlement = { [K in keyof PlanLimits]: PlanLimits[K] extends number | null ? K : never }[keyof PlanLimits];
type Feature = { [K in keyof PlanLimits]: PlanLimits[K] extends boolean ? K : never }[keyof PlanLimits];

/**
 * Rejects the request when the plan's limit is reached.
 * @param create counts and creates in one transaction; is given the limit, null for none. @throws LimitReached
 */
export async function withinLimit<T>(
  limits: PlanLimits,
  entitlement: CountedEntitlement,
  create: (max: number | null) => Promise<T>,
): Promise<T> {
  try {
    return await create(limits[entitlement]);
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    const { current, limit } = error;
    return fail('entitlement_required', `The plan allows ${limit} ${nounOf(entitlement, limit)}`, { entitlement, current, limit });
  }
}

/** `api_keys` as "API keys", and one of them as "API key". */
function nounOf(entitlement: string, count: number): string {
  const words = entitlement.replaceAll('_', ' ').replace(/^api\b/, 'API');
  return count === 1 ? words.replace(/s$/, '') : words;
}

/** Rejects the request when the plan does not include the feature. */
export function assertInPlan(limits: PlanLimits, entitlement: Feature): void {
  if (limits[entitlement]) return;
  fail('entitlement_required', `The plan does not include ${entitlement.replace('_enabled', '')}`, { entitlement, current: 0, limit: 0 });
}

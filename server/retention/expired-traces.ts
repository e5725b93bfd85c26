/** Which traces of an app are too old, by the rules of its team and the limit of its plan. */
import type { Environment } from '../control/environment-store.ts';
import type { RetentionRules } from '../control/retention-store.ts';
import type { TraceSelection } from '../telemetry/trace-deletions.ts';

const dayMs = 24 * 3600 * 1000;

/** The smaller of both; null for no limit. */
const shorter = (days: number | null, others: number | null) =>
  days === null || others === null ? (days ?? others) : Math.min(days, others);

/**
 * Whole days in UTC, so that the traces of a day are deleted at once: each deletion reads the records of the app.
 * @param environments of the app
 * @param planDays the longest that the plan keeps traces; null for no limit
 * @returns selections that have no trace in common
 */
export function expiredTraces(
  rules: RetentionRules,
  environments: readonly Pick<Environment, 'id' | 'name'>[],
  planDays: number | null,
  nowMs: number,
): TraceSelection[] {
  const nameOf = new Map(environments.map(({ id, name }) => [id, name]));
  const own = rules.environments.flatMap(({ environment_id, keep_days }) => {
    const name = nameOf.get(environment_id);
    return name === undefined ? [] : { name, days: shorter(keep_days, planDays) };
  });
  const before = (days: number) => ({ to: (Math.floor(nowMs / dayMs) - days) * dayMs, bookkeeping: 'include' as const });
  const selections: TraceSelection[] = own.flatMap(({ name, days }) => (days === null ? [] : { environment: name, ...before(days) }));
  const otherDays = shorter(rules.keep_days, planDays);
  if (otherDays !== null) {
    const values = own.map(({ name }) => name);
    const inNone = { kind: 'string', field: 'environment', operator: 'notIn', values } as const;
    selections.push({ ...(values.length > 0 && { filter: { clauses: [[inNone]] } }), ...before(otherDays) });
  }
  return selections;
}

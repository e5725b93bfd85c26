/** Which traces of an app are too old, by the rules of its team and the limit of its plan. */
import type { Clause, TextPredicate } from '../../shared/filter/filter-tree.ts';
import type { Environment } from '../control/environment-store.ts';
import type { RetentionRules } from '../control/retention-store.ts';
import type { TraceSelection } from '../telemetry/trace-deletions.ts';

const dayMs = 24 * 3600 * 1000;
/** Names in one condition, which databases limit. */
const namesAtOnce = 100;

const forever = Number.POSITIVE_INFINITY;

/** Environments that keep traces for the same time by the same rule. */
interface Group {
  names: string[];
  days: number;
}

/**
 * Whole days in UTC, so that the traces of a day are deleted at once: each deletion reads the records of the app. A trace with spans of several
 * environments goes when all of them let it go.
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
  const longest = planDays ?? forever;
  const ownDays = new Map(rules.environments.map(({ environment_id, keep_days }) => [environment_id, Math.min(keep_days, longest)]));
  const own = environments.flatMap(({ id, name }): Group[] => {
    const days = ownDays.get(id);
    return days === undefined ? [] : [{ names: [name], days }];
  });
  const otherDays = Math.min(rules.keep_days ?? forever, longest);
  const before = (days: number) => ({ to: (Math.floor(nowMs / dayMs) - days) * dayMs, bookkeeping: 'include' as const });
  if (own.length === 0) return otherDays === forever ? [] : [before(otherDays)];
  const others = environments.filter(({ id }) => !ownDays.has(id)).map(({ name }) => name);
  const groups = [...own, { names: others, days: otherDays }].toSorted((a, b) => b.days - a.days);
  // Of a trace in several groups the first one decides, which keeps it longest.
  const selections = groups.map(({ names, days }, at) => ({
    days,
    clauses: [...inAnyOf(names), ...inNoneOf(groups.slice(0, at).flatMap((group) => group.names))],
  }));
  const inNoGroup = { days: otherDays, clauses: inNoneOf(groups.flatMap(({ names }) => names)) };
  return [...selections.filter((_, at) => groups[at]?.names.length !== 0), inNoGroup]
    .filter(({ days }) => days !== forever)
    .map(({ days, clauses }) => ({ filter: { clauses }, ...before(days) }));
}

const partsOf = (names: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(names.length / namesAtOnce) }, (_, part) => names.slice(part * namesAtOnce, (part + 1) * namesAtOnce));

const condition = (operator: 'in' | 'notIn', values: string[]): TextPredicate => ({
  kind: 'string',
  field: 'environment',
  operator,
  values,
});

const inAnyOf = (names: readonly string[]): Clause[] => [partsOf(names).map((part) => condition('in', part))];

const inNoneOf = (names: readonly string[]): Clause[] => partsOf(names).map((part) => [condition('notIn', part)]);

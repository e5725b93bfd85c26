/** The failures in some traces, those that are the same counted together. */
import { trendSteps } from '../../shared/contract/tracing/error-group-shape.ts';
import type { ErrorGroup, ErrorGroupsQuery } from '../../shared/contract/tracing/error-groups.ts';
import type { Filter } from '../../shared/filter/filter-tree.ts';
import { commonPart } from './error-pattern.ts';
import { type FailedSpan, type Failure, failureKey, failureOf } from './failures.ts';

/** Of the newest traces with errors. */
export const tracesMax = 10_000;
export const errorsMax = 50_000;
const groupsMax = 100;

/** Of the trend when the list has no range. */
const dayMs = 86_400_000;
const trendDays = 14;

export interface GroupOfErrors<Row extends FailedSpan> {
  failure: Failure;
  /** Of the newest error. */
  newest: Row;
  timesMs: number[];
  traces: Set<Row['trace']>;
}

/** Those that are shown, most errors first, and how many others there are. */
export function groupErrors<Row extends FailedSpan>(
  errors: readonly Row[],
  check = (): void => {},
): { groups: GroupOfErrors<Row>[]; more: number } {
  const groups = new Map<string, GroupOfErrors<Row>>();
  for (const row of errors) {
    check();
    addTo(groups, row);
  }
  const sorted = [...groups.values()].sort((a, b) => b.timesMs.length - a.timesMs.length || b.newest.start_us - a.newest.start_us);
  return { groups: sorted.slice(0, groupsMax), more: Math.max(0, sorted.length - groupsMax) };
}

/** @param reportedType that of the newest error; '' for none */
export function errorGroupOf<Row extends FailedSpan>(
  { failure, timesMs, traces }: GroupOfErrors<Row>,
  range: Range,
  reportedType: string,
): ErrorGroup {
  const { kind, name, field, pattern } = failure;
  const type = reportedType || typeIn(pattern);
  const message = withoutType(pattern, type);
  const times = timesMs.sort((a, b) => a - b);
  const { quietMs, backMs } = longestGap(times);
  const said = commonPart(pattern) || type;
  return {
    ...{ type, message, name, kind, errors: times.length, traces: traces.size },
    first_seen: new Date(times[0] as number).toISOString(),
    last_seen: new Date(times.at(-1) as number).toISOString(),
    quiet_ms: quietMs,
    back_since: new Date(backMs).toISOString(),
    trend: trendOf(times, range),
    filter: [`${field} = ${quoted(name)}`, said ? `error contains ${quoted(said)}` : 'errors > 0'].join(' and '),
  };
}

/** Number of traces among some errors. */
export const tracesOf = (errors: readonly FailedSpan[]): number => new Set(errors.map(({ trace }) => trace)).size;

export const withErrors = (filter: Filter | undefined): Filter => ({
  clauses: [...(filter?.clauses ?? []), [{ kind: 'numeric', field: 'errors', operator: 'gt', values: [0] }]],
});

function addTo<Row extends FailedSpan>(groups: Map<string, GroupOfErrors<Row>>, row: Row): void {
  const failure = failureOf(row);
  const key = failureKey(failure);
  const group: GroupOfErrors<Row> = groups.get(key) ?? { failure, newest: row, timesMs: [], traces: new Set() };
  groups.set(key, group);
  if (row.start_us > group.newest.start_us) group.newest = row;
  group.timesMs.push(Math.floor(row.start_us / 1000));
  group.traces.add(row.trace);
}

export interface Range {
  from: number;
  to: number;
}

/** The range of the list; without a start the days up to its end, without an end all of today. */
export function rangeOf({ from, to = endOfToday() }: Pick<ErrorGroupsQuery, 'from' | 'to'>): Range {
  return { from: Math.min(from ?? to - trendDays * dayMs, to - 1), to };
}

const endOfToday = (): number => Math.ceil(Date.now() / dayMs) * dayMs;

function trendOf(timesMs: readonly number[], { from, to }: Range): number[] {
  const trend = Array.from({ length: trendSteps }, () => 0);
  for (const time of timesMs) {
    const step = Math.floor(((time - from) / (to - from)) * trendSteps);
    if (step >= 0 && step < trendSteps) trend[step] = (trend[step] as number) + 1;
  }
  return trend;
}

/** Of times in order. */
function longestGap(timesMs: readonly number[]): { quietMs: number; backMs: number } {
  let gap = { quietMs: 0, backMs: timesMs[0] as number };
  for (const [at, time] of timesMs.entries()) {
    const quietMs = time - (timesMs[at - 1] ?? time);
    if (quietMs > gap.quietMs) gap = { quietMs, backMs: time };
  }
  return gap;
}

const typePrefix = /^(?:[\w$]+\.)*(?:[A-Z]\w*)?(?:Error|Exception|Timeout|Warning|Refused)(?=:|$)/;

/** The type with which a message begins: `ValueError: …`. */
const typeIn = (message: string): string => typePrefix.exec(message)?.[0] ?? '';

const withoutType = (message: string, type: string): string =>
  type !== '' && message.startsWith(`${type}:`) ? message.slice(type.length + 1).trim() : message;

const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;

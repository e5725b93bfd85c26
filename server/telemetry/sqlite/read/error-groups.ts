/** The failures in the newest traces of a list, those that are the same counted together. */
import { trendSteps } from '../../../../shared/contract/tracing/error-group-shape.ts';
import type { ErrorGroup, ErrorGroups, ErrorGroupsQuery } from '../../../../shared/contract/tracing/error-groups.ts';
import type { Filter } from '../../../../shared/filter/filter-tree.ts';
import { commonPart } from '../../error-pattern.ts';
import { type SpanPlace, spanPlaceColumns } from '../signatures/span-bytes.ts';
import { type ErrorRow, FailedSpans, type Failure, failureKey, failureOf } from './failed-spans.ts';
import { newestTraces } from './newest-traces.ts';
import type { ReadContext } from './read-context.ts';
import { SpanContents } from './span-contents.ts';

const tracesMax = 10_000;
const errorsMax = 50_000;
const groupsMax = 100;

/** Of the trend when the list has no range. */
const dayMs = 86_400_000;
const trendDays = 14;

interface Group {
  failure: Failure;
  /** Of the newest error. */
  newest: ErrorRow;
  timesMs: number[];
  traces: Set<number>;
}

export class ErrorGroupReads {
  readonly #context: ReadContext;
  readonly #contents: SpanContents;
  readonly #failedSpans;
  readonly #place;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#contents = new SpanContents(context);
    this.#failedSpans = new FailedSpans(context, errorsMax);
    this.#place = context.db.prepare<[number], SpanPlace & { id: number }>(
      `SELECT span.id, ${spanPlaceColumns} FROM span WHERE span.id = ?`,
    );
  }

  list(scope: number, query: ErrorGroupsQuery): ErrorGroups {
    const { limit } = this.#context;
    const { ids, isComplete } = newestTraces(this.#context, scope, { ...query, filter: withErrors(query.filter) }, tracesMax);
    const groups = new Map<string, Group>();
    const { errors, isWhole } = this.#failedSpans.causesIn(ids.slice(0, tracesMax));
    for (const row of errors) {
      limit.check();
      addTo(groups, row);
    }
    const range = rangeOf(query);
    const sorted = [...groups.values()].sort((a, b) => b.timesMs.length - a.timesMs.length || b.newest.start_us - a.newest.start_us);
    return {
      groups: sorted.slice(0, groupsMax).map((group) => this.#groupOf(group, range)),
      more: Math.max(0, sorted.length - groupsMax),
      errors: errors.length,
      traces: new Set(errors.map(({ trace }) => trace)).size,
      is_whole: isComplete && ids.length <= tracesMax && isWhole,
    };
  }

  #groupOf({ failure, newest, timesMs, traces }: Group, range: Range): ErrorGroup {
    const { kind, name, field, pattern } = failure;
    const type = this.#typeOf(newest) || typeIn(pattern);
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

  #typeOf({ id }: ErrorRow): string {
    const place = this.#place.get(id);
    return (place && this.#contents.textsWith(place, [], null)?.errorType) || '';
  }
}

const withErrors = (filter: Filter | undefined): Filter => ({
  clauses: [...(filter?.clauses ?? []), [{ kind: 'numeric', field: 'errors', operator: 'gt', values: [0] }]],
});

function addTo(groups: Map<string, Group>, row: ErrorRow): void {
  const failure = failureOf(row);
  const key = failureKey(failure);
  const group = groups.get(key) ?? { failure, newest: row, timesMs: [], traces: new Set() };
  groups.set(key, group);
  if (row.start_us > group.newest.start_us) group.newest = row;
  group.timesMs.push(Math.floor(row.start_us / 1000));
  group.traces.add(row.trace);
}

interface Range {
  from: number;
  to: number;
}

/** The range of the list; without a start the days up to its end, without an end all of today. */
function rangeOf({ from, to = endOfToday() }: Pick<ErrorGroupsQuery, 'from' | 'to'>): Range {
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

/** The failures in the newest traces of a list, those that are the same counted together. */
import { trendSteps } from '../../../../shared/contract/tracing/error-group-shape.ts';
import type { ErrorGroup, ErrorGroups, ErrorGroupsQuery } from '../../../../shared/contract/tracing/error-groups.ts';
import type { SemanticKind } from '../../../../shared/contract/tracing/semantic-kinds.ts';
import type { Filter } from '../../../../shared/filter/filter-tree.ts';
import { commonPart, errorPattern } from '../../error-pattern.ts';
import { kinds, statuses } from '../file/codes.ts';
import { readStoredId } from '../file/id-codec.ts';
import { type SpanPlace, spanPlaceColumns } from '../signatures/span-bytes.ts';
import { newestTraces } from './newest-traces.ts';
import type { ReadContext } from './read-context.ts';
import { SpanContents } from './span-contents.ts';
import { isVisible } from './span-wire.ts';
import { inTime } from './time-limit.ts';

const tracesMax = 10_000;
const errorsMax = 50_000;
const groupsMax = 100;

/** Of the trend when the list has no range. */
const dayMs = 86_400_000;
const trendDays = 14;

const failed = statuses.indexOf('ERROR');

interface ErrorRow {
  id: number;
  trace: number;
  start_us: number;
  name: string;
  kind: number;
  model: string | null;
  status_message: string | null;
}

interface FailedRow extends ErrorRow {
  span_id: unknown;
  parent_id: unknown;
}

interface Group {
  pattern: string;
  name: string;
  kind: SemanticKind;
  /** Of the newest error. */
  newest: ErrorRow;
  timesMs: number[];
  traces: Set<number>;
}

export class ErrorGroupReads {
  readonly #context: ReadContext;
  readonly #contents: SpanContents;
  readonly #errors;
  readonly #place;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#contents = new SpanContents(context);
    this.#errors = context.db.prepare<[string], FailedRow>(
      `SELECT span.id, span.trace, span.span_id, span.parent_id, span.start_us, name.value AS name, span.kind, model.value AS model, span.status_message
       FROM json_each(?) AS place CROSS JOIN span ON span.trace = place.value
       JOIN term AS name ON name.id = span.name LEFT JOIN term AS model ON model.id = span.model
       WHERE span.status = ${failed} AND ${isVisible} AND ${inTime('span.id')}
       ORDER BY place.key, span.start_us DESC LIMIT ${errorsMax + 1}`,
    );
    this.#place = context.db.prepare<[number], SpanPlace & { id: number }>(
      `SELECT span.id, ${spanPlaceColumns} FROM span WHERE span.id = ?`,
    );
  }

  list(scope: number, query: ErrorGroupsQuery): ErrorGroups {
    const { limit, damageReporter } = this.#context;
    const { ids, isComplete } = newestTraces(this.#context, scope, { ...query, filter: withErrors(query.filter) }, tracesMax);
    const groups = new Map<string, Group>();
    const found =
      damageReporter.read('database', 'errors of traces', () => this.#errors.all(JSON.stringify(ids.slice(0, tracesMax)))) ?? [];
    const errors = causesAmong(found.slice(0, errorsMax));
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
      is_whole: isComplete && ids.length <= tracesMax && found.length <= errorsMax,
    };
  }

  #groupOf({ pattern, name, kind, newest, timesMs, traces }: Group, range: Range): ErrorGroup {
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
      filter: [`${fieldOf[kind] ?? 'span_name'} = ${quoted(name)}`, said ? `error contains ${quoted(said)}` : 'errors > 0'].join(' and '),
    };
  }

  #typeOf({ id }: ErrorRow): string {
    const place = this.#place.get(id);
    return (place && this.#contents.textsWith(place, [], null)?.errorType) || '';
  }
}

/** A failure of a span whose child failed is that of the child. */
function causesAmong(rows: readonly FailedRow[]): ErrorRow[] {
  const parents = new Set(rows.filter(({ parent_id }) => parent_id !== null).map(({ trace, parent_id }) => keyOf(trace, parent_id)));
  return rows.filter(({ trace, span_id }) => !parents.has(keyOf(trace, span_id)));
}

const keyOf = (trace: number, id: unknown): string => `${trace} ${readStoredId(id)}`;

/** The field of filters that has the name of a group. */
const fieldOf: Partial<Record<SemanticKind, string>> = { tool: 'tool', llm: 'model' };

const withErrors = (filter: Filter | undefined): Filter => ({
  clauses: [...(filter?.clauses ?? []), [{ kind: 'numeric', field: 'errors', operator: 'gt', values: [0] }]],
});

function addTo(groups: Map<string, Group>, row: ErrorRow): void {
  const kind = kinds[row.kind] ?? 'function';
  const name = (kind === 'llm' && row.model) || row.name;
  const pattern = errorPattern(row.status_message ?? '');
  const key = JSON.stringify([pattern, name, kind]);
  const group = groups.get(key) ?? { pattern, name, kind, newest: row, timesMs: [], traces: new Set() };
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

/** Counts traces and their calls: in all, in time steps, and broken down. */
import type { Activity, ActivityQuery } from '../../../../shared/contract/viewer/activity.ts';
import type { ActivityBreakdown } from '../../../../shared/contract/viewer/activity-shape.ts';
import { dollarsMax } from '../../trace-tree.ts';
import { IdSet } from '../columns/bitmap.ts';
import type { SpanColumn, TraceColumn } from '../columns/stored-columns.ts';
import { flag, kinds, statuses, types } from '../file/codes.ts';
import type { SpanVisit, TraceVisit, Values } from './activity-rows.ts';
import { FigureSums, GroupSums } from './activity-sums.ts';
import { isVisible } from './span-wire.ts';

const failed = statuses.indexOf('ERROR');
const call = types.indexOf('GENERATION');
const tool = kinds.indexOf('tool');
const groupsMax = 50;

/** Values of `flags` of the calls that count: the usage of others only sums up, or will be replaced. */
const countedFlags = Array.from({ length: 1024 }, (_, flags) => flags).filter(
  (flags) => (flags & (flag.aggregate | flag.placeholder)) === 0,
);

const traceColumns = [
  ...(['listed_us', 'latency_ns', 'status', 'span_count', 'input_tokens', 'output_tokens', 'cost', 'error_count', 'user'] as const),
] satisfies TraceColumn[];
type CountedColumn = (typeof traceColumns)[number];

const usageColumns = ['trace', 'ttft_us', 'cache_read_tokens', 'cache_write_tokens'] as const satisfies SpanColumn[];
const callColumns = ['status', 'duration_ns', 'input_tokens', 'output_tokens', 'cost'] as const satisfies SpanColumn[];

/** What traces and calls are told apart by: the column, and whether it is one of calls. */
const keys = {
  model: { of: 'calls', column: 'model' },
  prompt: { of: 'calls', column: 'prompt' },
  tool: { of: 'tools', column: 'name' },
  service: { of: 'traces', column: 'service' },
  tag: { of: 'traces', column: 'tags' },
  user: { of: 'traces', column: null },
} as const satisfies Record<ActivityBreakdown, { of: 'calls' | 'tools' | 'traces'; column: SpanColumn | null }>;

interface CountedTrace {
  step: number;
  hasFailed: boolean;
  hasErrorsInside: boolean;
  durationNs: number;
  cost: number;
  input: number;
  output: number;
  cacheRead: number;
  /** Null without any. */
  firstTokensUs: number[] | null;
}

export class ActivityCount {
  readonly #query: ActivityQuery;
  /** The names of a term; several for a list of tags. */
  readonly #namesOf: (term: number) => readonly string[];
  readonly #total = new FigureSums();
  readonly #steps: FigureSums[];
  readonly #groups = new Map<string, GroupSums>();
  readonly #names = new Map<number, readonly string[]>();
  readonly #traces = new Map<number, CountedTrace>();
  /** Traces of a term. */
  readonly #members = new Map<number, Set<number>>();
  #oldestUs = Number.POSITIVE_INFINITY;

  constructor(query: ActivityQuery, namesOf: (term: number) => readonly string[]) {
    this.#query = query;
    this.#namesOf = namesOf;
    this.#steps = Array.from({ length: query.steps }, () => new FigureSums());
  }

  /** What it reads of traces. */
  readonly traces: TraceVisit<CountedColumn> = {
    columns: traceColumns,
    visit: (values, row, id) => this.#addTrace(values, row, id),
  };

  /** What it reads of spans. */
  spans(): SpanVisit[] {
    const { of, column } = keys[this.#query.by];
    const calls: SpanVisit = {
      columns: [...usageColumns, ...(of === 'calls' ? [column, ...callColumns] : [])],
      plain: [
        { column: 'type', test: { ids: IdSet.of([call]) } },
        { column: 'flags', test: { ids: IdSet.of(countedFlags) } },
      ],
      sql: `span.type = ${call} AND (span.flags & ${flag.aggregate | flag.placeholder}) = 0`,
      visit: (values, row) => this.#addCall(values, row),
    };
    if (of === 'calls' || column === null) return [calls];
    const visible = { plain: [], sql: isVisible } as const;
    if (of === 'traces')
      return [
        calls,
        { ...visible, columns: ['trace', column], visit: (values, row) => this.#addMember(numberAt(values, column, row), values, row) },
      ];
    const tools: SpanVisit = {
      columns: ['trace', column, 'status', 'duration_ns'],
      plain: [{ column: 'kind', test: { ids: IdSet.of([tool]) } }],
      sql: `span.kind = ${tool} AND ${isVisible}`,
      visit: (values, row) => this.#addToGroup(numberAt(values, column, row), values, row, 0),
    };
    return [calls, tools];
  }

  get traceCount(): number {
    return this.#traces.size;
  }

  traceIds(): number[] {
    return [...this.#traces.keys()];
  }

  result(isWhole: boolean): Omit<Activity, 'traces'> {
    const { from, to, steps } = this.#query;
    if (keys[this.#query.by].of === 'traces') this.#groupTraces();
    const isPriced = [...this.#groups.values()].some(({ cost }) => cost > 0);
    const groups = [...this.#groups].sort(([, a], [, b]) => b.cost - a.cost || b.count - a.count);
    return {
      totals: this.#total.result(),
      steps: this.#steps.flatMap((sums, at) =>
        sums.traces === 0 ? [] : [{ at: Math.round(from + ((to - from) * at) / steps), ...sums.result() }],
      ),
      groups: groups.slice(0, groupsMax).map(([name, sums]) => sums.result(name, steps, isPriced)),
      more: Math.max(0, groups.length - groupsMax),
      is_whole: isWhole,
      counted_from: this.#traces.size === 0 ? null : Math.floor(this.#oldestUs / 1000),
    };
  }

  #addTrace(values: Values<CountedColumn>, row: number, id: number): void {
    const { from, to, steps } = this.#query;
    const value = (column: CountedColumn) => values[column][row] as number;
    const listedUs = value('listed_us');
    const trace: CountedTrace = {
      step: Math.min(steps - 1, Math.max(0, Math.floor(((listedUs / 1000 - from) / (to - from)) * steps))),
      hasFailed: value('status') === failed,
      hasErrorsInside: value('status') !== failed && value('error_count') > 0,
      durationNs: value('latency_ns'),
      ...{ cost: value('cost'), input: value('input_tokens'), output: value('output_tokens') },
      ...{ cacheRead: 0, firstTokensUs: null },
    };
    this.#traces.set(id, trace);
    this.#oldestUs = Math.min(this.#oldestUs, listedUs);
    for (const sums of this.#sumsOf(trace)) {
      sums.traces++;
      if (trace.hasFailed) sums.errors++;
      if (trace.hasErrorsInside) sums.errors_inside++;
      sums.spans += value('span_count');
      sums.cost += trace.cost;
      sums.input_tokens += trace.input;
      sums.output_tokens += trace.output;
      sums.durationsNs.push(trace.durationNs);
    }
    if (this.#query.by === 'user') this.#memberSet(value('user')).add(id);
  }

  #addCall(values: Values<SpanColumn>, row: number): void {
    const trace = this.#traces.get(numberAt(values, 'trace', row));
    if (!trace) return;
    const firstTokenUs = numberAt(values, 'ttft_us', row);
    const cacheRead = numberAt(values, 'cache_read_tokens', row);
    for (const sums of this.#sumsOf(trace)) {
      sums.cache_read_tokens += cacheRead;
      sums.cache_write_tokens += numberAt(values, 'cache_write_tokens', row);
      if (firstTokenUs >= 0) sums.firstTokensUs.push(firstTokenUs);
    }
    const { of, column } = keys[this.#query.by];
    if (of === 'traces') {
      trace.cacheRead += cacheRead;
      if (firstTokenUs >= 0) {
        trace.firstTokensUs ??= [];
        trace.firstTokensUs.push(firstTokenUs);
      }
    }
    if (of !== 'calls') return;
    const cost = Math.min(numberAt(values, 'cost', row), dollarsMax);
    for (const group of this.#addToGroup(numberAt(values, column, row), values, row, cost)) {
      group.input_tokens += numberAt(values, 'input_tokens', row);
      group.output_tokens += numberAt(values, 'output_tokens', row);
      group.cache_read_tokens += cacheRead;
      if (firstTokenUs >= 0) group.firstTokensUs.push(firstTokenUs);
    }
  }

  #addToGroup(term: number, values: Values<SpanColumn>, row: number, cost: number): GroupSums[] {
    const trace = this.#traces.get(numberAt(values, 'trace', row));
    const groups = trace ? this.#groupsOf(term) : [];
    for (const group of groups) {
      group.add(trace?.step ?? 0, cost, numberAt(values, 'duration_ns', row));
      if (numberAt(values, 'status', row) === failed) group.errors++;
    }
    return groups;
  }

  #addMember(term: number, values: Values<SpanColumn>, row: number): void {
    const id = numberAt(values, 'trace', row);
    if (term !== 0 && this.#traces.has(id)) this.#memberSet(term).add(id);
  }

  /** A trace counts once in each of its groups, whatever terms name it. */
  #groupTraces(): void {
    const members = new Map<string, Set<number>>();
    for (const [term, ids] of this.#members)
      for (const name of this.#namesOf(term)) {
        const all = members.get(name) ?? new Set();
        members.set(name, all);
        for (const id of ids) all.add(id);
      }
    for (const [name, ids] of members) {
      const group = new GroupSums();
      this.#groups.set(name, group);
      for (const id of ids) addTraceTo(group, this.#traces.get(id));
    }
  }

  #memberSet(term: number): Set<number> {
    const set = this.#members.get(term) ?? new Set();
    this.#members.set(term, set);
    return set;
  }

  #groupsOf(term: number): GroupSums[] {
    const names = this.#names.get(term) ?? this.#namesOf(term);
    this.#names.set(term, names);
    return names.map((name) => {
      const group = this.#groups.get(name) ?? new GroupSums();
      this.#groups.set(name, group);
      return group;
    });
  }

  #sumsOf = ({ step }: CountedTrace): FigureSums[] => [this.#total, this.#steps[step] as FigureSums];
}

const numberAt = (values: Values<SpanColumn>, column: SpanColumn, row: number): number => values[column][row] as number;

function addTraceTo(group: GroupSums, trace: CountedTrace | undefined): void {
  if (!trace) return;
  group.add(trace.step, trace.cost, trace.durationNs);
  if (trace.hasFailed) group.errors++;
  if (trace.hasErrorsInside) group.errors_inside++;
  group.input_tokens += trace.input;
  group.output_tokens += trace.output;
  group.cache_read_tokens += trace.cacheRead;
  for (const us of trace.firstTokensUs ?? []) group.firstTokensUs.push(us);
}

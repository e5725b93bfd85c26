/**
 * Model calls summed by the hour (docs/reference/records.md#metrics), call by call, because the number of users and models of a range is not the
 * sum over its hours.
 */
import type { MetricsReport } from '../../../../shared/contract/tracing/metrics.ts';
import { type CallFigures, metricsReport } from '../../metrics-report.ts';
import type { Window } from '../../search-reader.ts';
import { countable, dollarsMax } from '../../trace-tree.ts';
import { IdSet } from '../columns/bitmap.ts';
import { type CallSums, hourUs } from '../columns/call-sums.ts';
import { readColumn } from '../columns/chunk-codec.ts';
import { intervalsOf } from '../columns/number-intervals.ts';
import { readMatches } from '../columns/read-matches.ts';
import type { PlainCondition } from '../columns/span-columns.ts';
import { flag, statuses, types } from '../file/codes.ts';
import { isDamage } from '../file/damaged.ts';
import { boundedCost } from './bounded-sums.ts';
import type { ReadContext } from './read-context.ts';
import { inTime } from './time-limit.ts';

const failed = statuses.indexOf('ERROR');
const call = types.indexOf('GENERATION');
/** The time limit is checked once in this many rows. */
const checkRows = 1024;

const callColumns = ['start_us', 'status', 'cost', 'tokens', 'input_tokens', 'output_tokens', 'duration_ns', 'trace', 'model'] as const;
/** Values of `flags` of the calls that count. */
const countedFlags = Array.from({ length: 1024 }, (_, flags) => flags).filter(
  (flags) => (flags & (flag.aggregate | flag.placeholder)) === 0,
);

type CallRow = [
  start_us: number,
  status: number,
  cost: number,
  tokens: number,
  input_tokens: number,
  output_tokens: number,
  duration_ns: number,
  user: number,
  model: number,
];

export class MetricReads {
  readonly #context: ReadContext;
  readonly #calls;
  readonly #idsIn;
  readonly #call;
  readonly #spanCount;

  constructor(context: ReadContext) {
    this.#context = context;
    const columns = `span.start_us, span.status, ${boundedCost('span.cost')},
           coalesce(span.tokens, coalesce(span.input_tokens, 0) + coalesce(span.output_tokens, 0)),
           coalesce(span.input_tokens, 0), coalesce(span.output_tokens, 0), span.duration_ns, trace.user, coalesce(span.model, 0)`;
    const isCall = `span.type = ${call} AND (span.flags & ${flag.aggregate | flag.placeholder}) = 0`;
    const { db } = context;
    this.#spanCount = db.prepare<[number], number>('SELECT span_count FROM scope WHERE id = ?').pluck();
    this.#calls = db
      .prepare<[number, number, number], CallRow>(
        `SELECT ${columns} FROM span INDEXED BY span_started CROSS JOIN trace ON trace.id = span.trace
         WHERE span.scope = ? AND span.start_us >= ? AND span.start_us < ? AND ${inTime('span.id')} AND ${isCall} ORDER BY span.start_us`,
      )
      .raw();
    this.#idsIn = db
      .prepare<[number, number, number], number>(
        'SELECT id FROM span INDEXED BY span_started WHERE scope = ? AND start_us >= ? AND start_us < ? ORDER BY start_us',
      )
      .pluck();
    this.#call = db
      .prepare<[number], CallRow>(`SELECT ${columns} FROM span JOIN trace ON trace.id = span.trace WHERE span.id = ? AND ${isCall}`)
      .raw();
  }

  requests(scope: number, { from, to }: Window, extended: boolean): MetricsReport {
    const [first, end] = [from * 1000, (to + 1) * 1000];
    const hours = this.#isForTable(scope) ? this.#hoursOfTable(scope, first, end) : this.#hoursOfColumns(scope, first, end);
    const total = new Sums();
    for (const sums of hours.values()) total.addAll(sums);
    return metricsReport(total.figures, new Map([...hours].map(([hour, sums]) => [hour, sums.figures])), extended);
  }

  #isForTable(scope: number): boolean {
    const { tableRowsMax, spanColumns } = this.#context;
    return (this.#spanCount.get(scope) ?? 0) <= tableRowsMax || !spanColumns.areMade();
  }

  #hoursOfTable(scope: number, from: number, to: number): Map<number, Sums> {
    const hours = new Hours();
    let calls = 0;
    for (const [start_us, status, cost, tokens, input, output, duration_ns, user, model] of this.#callsIn(scope, from, to)) {
      if (calls++ % checkRows === 0) this.#context.limit.check();
      const sums = hours.at(start_us);
      sums.add(status, cost, tokens, input, output, duration_ns);
      if (user !== 0) sums.users.add(user);
      if (model !== 0) sums.models.add(model);
    }
    return hours.all;
  }

  #hoursOfColumns(scope: number, from: number, to: number): Map<number, Sums> {
    const { spanColumns, limit } = this.#context;
    const check = () => limit.check();
    const started = { intervals: intervalsOf({ operator: 'between', values: [from, to - 1] }) };
    const conditions: PlainCondition[] = [
      { column: 'start_us', test: started },
      { column: 'type', test: { ids: IdSet.of([call]) } },
      { column: 'flags', test: { ids: IdSet.of(countedFlags) } },
    ];
    const users = this.#usersOfTraces();
    const hours = new Hours();
    const open = spanColumns.groups().filter((group) => {
      limit.check();
      const isSummed = this.#addSums(scope, group.callSums(), from, to, users, hours);
      group.release();
      return !isSummed;
    });
    // A set is asked once for each user and hour, not once for each call.
    const lastOfUser = new Map<number, Sums>();
    readMatches(spanColumns.find(scope, conditions, undefined, open), callColumns, check, (columns, row) => {
      const sums = hours.at(columns.start_us[row] as number);
      const cost = Math.min(columns.cost[row] as number, dollarsMax);
      const [tokens, input, output] = [
        columns.tokens[row] as number,
        columns.input_tokens[row] as number,
        columns.output_tokens[row] as number,
      ];
      sums.add(columns.status[row] as number, cost, tokens, input, output, columns.duration_ns[row] as number);
      const user = users[columns.trace[row] as number] ?? 0;
      if (user !== 0 && lastOfUser.get(user) !== sums) {
        lastOfUser.set(user, sums);
        sums.users.add(user);
      }
      const model = columns.model[row] as number;
      if (model !== 0) sums.models.add(model);
    });
    return hours.all;
  }

  /** Adds the calls of a group, unless they are not summed or a part of an hour is asked for. */
  #addSums(scope: number, sums: CallSums[] | null, from: number, to: number, users: Float64Array, hours: Hours): boolean {
    const own = sums?.filter(({ scope: each, hour }) => each === scope && hour * hourUs < to && (hour + 1) * hourUs > from);
    if (!own?.every(({ hour }) => hour * hourUs >= from && (hour + 1) * hourUs <= to)) return false;
    for (const { hour, traces, models, ...numbers } of own) {
      const total = hours.at(hour * hourUs);
      total.addAll({ ...numbers, input: numbers.input_tokens, output: numbers.output_tokens, models, users: noUsers });
      for (const trace of traces) if ((users[trace] ?? 0) !== 0) total.users.add(users[trace] as number);
    }
    return true;
  }

  /** Users by the row id of their trace. */
  #usersOfTraces(): Float64Array {
    const groups = this.#context.traceColumns.groups.all();
    const last = groups.at(-1);
    const users = new Float64Array(last ? last.first + last.size : 0);
    for (const group of groups) {
      this.#context.limit.check();
      readColumn(group.column('user'), group.size, users.subarray(group.first, group.first + group.size));
      group.release();
    }
    return users;
  }

  /** Calls in order of time. After a damaged page they are read one by one, starting after the last row that was read. */
  *#callsIn(scope: number, from: number, to: number): Generator<CallRow> {
    const { damageReporter, limit } = this.#context;
    let [rowsAtStart, start] = [0, from];
    try {
      for (const row of this.#calls.iterate(scope, from, to)) {
        if (!damageReporter.isNumeric('database', `calls from ${row[0]}`, row)) continue;
        yield row;
        // Rows with the same start can only be told apart by their number.
        [rowsAtStart, start] = row[0] === start ? [rowsAtStart + 1, start] : [1, row[0]];
      }
      return;
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
    for (const id of this.#idsIn.all(scope, start, to)) {
      limit.check();
      const row = damageReporter.read('span', id, () => this.#call.get(id));
      if (!row || !damageReporter.isNumeric('span', id, row)) continue;
      if (row[0] === start && rowsAtStart-- > 0) continue;
      yield row;
    }
  }
}

const noUsers = new Set<number>();

class Sums {
  calls = 0;
  errors = 0;
  cost = 0;
  tokens = 0;
  input = 0;
  output = 0;
  duration_ns = 0;
  readonly users = new Set<number>();
  readonly models = new Set<number>();

  get figures(): CallFigures {
    const { calls, errors, cost, tokens, input, output, duration_ns, users, models } = this;
    return { calls, errors, cost, tokens, input, output, duration_ns, users: users.size, models: models.size };
  }

  add(status: number, cost: number, tokens: number, input: number, output: number, duration_ns: number): void {
    this.calls++;
    if (status === failed) this.errors++;
    this.cost += cost;
    this.tokens = countable(this.tokens + tokens);
    this.input = countable(this.input + input);
    this.output = countable(this.output + output);
    this.duration_ns += duration_ns;
  }

  addAll(sums: Omit<Sums, 'add' | 'addAll' | 'figures'>): void {
    this.calls += sums.calls;
    this.errors += sums.errors;
    this.cost += sums.cost;
    this.tokens = countable(this.tokens + sums.tokens);
    this.input = countable(this.input + sums.input);
    this.output = countable(this.output + sums.output);
    this.duration_ns += sums.duration_ns;
    for (const user of sums.users) this.users.add(user);
    for (const model of sums.models) this.models.add(model);
  }
}

/** Sums by the hour since the epoch. */
class Hours {
  readonly all = new Map<number, Sums>();
  #hour = Number.NaN;
  #sums = new Sums();

  at(start_us: number): Sums {
    const hour = Math.floor(start_us / hourUs);
    if (hour === this.#hour) return this.#sums;
    this.#hour = hour;
    this.#sums = this.all.get(hour) ?? new Sums();
    this.all.set(hour, this.#sums);
    return this.#sums;
  }
}

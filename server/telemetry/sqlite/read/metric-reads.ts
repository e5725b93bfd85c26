/**
 * Model calls summed by the hour (docs/reference/records.md#metrics), row by row, because the number of users and models of a range is not the
 * sum over its hours.
 */
import type { MetricsReport } from '../../../../shared/contract/tracing/metrics.ts';
import type { Window } from '../../search-reader.ts';
import { countable } from '../../trace-tree.ts';
import { flag, statuses, types } from '../file/codes.ts';
import { isDamage } from '../file/damaged.ts';
import { boundedCost } from './bounded-sums.ts';
import type { ReadContext } from './read-context.ts';
import { inTime } from './time-limit.ts';

const hourUs = 3600 * 1e6;
const failed = statuses.indexOf('ERROR');
const call = types.indexOf('GENERATION');
/** The time limit is checked once in this many rows. */
const checkRows = 1024;

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

  constructor(context: ReadContext) {
    this.#context = context;
    const columns = `span.start_us, span.status, ${boundedCost('span.cost')},
           coalesce(span.tokens, coalesce(span.input_tokens, 0) + coalesce(span.output_tokens, 0)),
           coalesce(span.input_tokens, 0), coalesce(span.output_tokens, 0), span.duration_ns, trace.user, coalesce(span.model, 0)`;
    const isCall = `span.type = ${call} AND (span.flags & ${flag.aggregate | flag.placeholder}) = 0`;
    const { db } = context;
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
    const total = new Sums();
    const series: MetricsReport['time_series'] = [];
    let hour = Number.NEGATIVE_INFINITY;
    let sums = new Sums();
    for (const row of this.#callsIn(scope, from * 1000, (to + 1) * 1000)) {
      if (total.calls % checkRows === 0) this.#context.limit.check();
      const at = Math.floor(row[0] / hourUs);
      if (at !== hour) {
        if (sums.calls > 0) series.push(bucketOf(hour, sums));
        hour = at;
        sums = new Sums();
      }
      sums.add(row);
      total.add(row);
    }
    if (sums.calls > 0) series.push(bucketOf(hour, sums));
    return { summary: { ...summaryOf(total), ...(extended ? meansOf(total) : {}) }, time_series: series };
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

  add([, status, cost, tokens, input, output, duration_ns, user, model]: CallRow): void {
    this.calls++;
    if (status === failed) this.errors++;
    this.cost += cost;
    this.tokens = countable(this.tokens + tokens);
    this.input = countable(this.input + input);
    this.output = countable(this.output + output);
    this.duration_ns += duration_ns;
    if (user !== 0) this.users.add(user);
    if (model !== 0) this.models.add(model);
  }
}

const mean = (sum: number, { calls }: Sums): number => (calls === 0 ? 0 : sum / calls);

/** Columns common to the hours and the total. */
const usageOf = (sums: Sums) => ({
  input_tokens: sums.input,
  output_tokens: sums.output,
  avg_latency_ms: mean(sums.duration_ns / 1e6, sums),
  unique_users: sums.users.size,
});

function bucketOf(hour: number, sums: Sums): MetricsReport['time_series'][number] {
  const at = new Date((hour * hourUs) / 1000);
  const { calls, errors, cost, tokens } = sums;
  return {
    date: at.toISOString().slice(0, 10),
    hour: at.getUTCHours(),
    requests: calls,
    successes: calls - errors,
    errors,
    cost,
    tokens,
    ...usageOf(sums),
  };
}

const summaryOf = (sums: Sums): MetricsReport['summary'] => ({
  total_requests: sums.calls,
  success_count: sums.calls - sums.errors,
  error_count: sums.errors,
  total_cost: sums.cost,
  total_tokens: sums.tokens,
  ...usageOf(sums),
});

const meansOf = (sums: Sums): Partial<MetricsReport['summary']> => ({
  avg_cost_per_request: mean(sums.cost, sums),
  avg_input_tokens_per_request: mean(sums.input, sums),
  avg_output_tokens_per_request: mean(sums.output, sums),
  avg_total_tokens_per_request: mean(sums.tokens, sums),
  model_count: sums.models.size,
});

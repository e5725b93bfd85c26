/** The traces of a list and their spans, value by value: by columns, or from the tables of a small app, newest first, while there is time. */
import type { TracesNarrowing } from '../../../../shared/contract/tracing/trace-list.ts';
import { IdSet } from '../columns/bitmap.ts';
import { readMatches } from '../columns/read-matches.ts';
import type { PlainCondition } from '../columns/span-columns.ts';
import { type SpanColumn, spanResource, type TraceColumn, traceResource } from '../columns/stored-columns.ts';
import { newestTraces } from './newest-traces.ts';
import type { ReadContext } from './read-context.ts';
import { BudgetSpent, SearchBudget } from './search-budget.ts';
import { inTime } from './time-limit.ts';
import { findTraces, isForTable } from './trace-where.ts';
import { tracesWithContents } from './traces-with-contents.ts';

/** Values of rows by column; `row` is the place of one of them. */
export type Values<N extends string> = Readonly<Record<N, ArrayLike<number>>>;

/** What is read of the traces. */
export interface TraceVisit<N extends TraceColumn> {
  columns: readonly N[];
  visit(values: Values<N>, row: number, id: number): void;
}

/** What is read of some of their spans: those for which `plain`, in SQL `sql`, holds. */
export interface SpanVisit {
  columns: readonly SpanColumn[];
  plain: readonly PlainCondition[];
  sql: string;
  visit(values: Values<SpanColumn>, row: number): void;
}

/** Traces that are read together from the table. */
const chunk = 500;

/** @returns whether there was time for all traces; otherwise those visited are the newest */
export function visitActivity<N extends TraceColumn>(
  context: ReadContext,
  scope: number,
  query: TracesNarrowing,
  traces: TraceVisit<N>,
  spans: readonly SpanVisit[],
): boolean {
  const hasColumns = !isForTable(context, scope) && context.spanColumns.areMade();
  const found = tracesWithContents(context, scope, query, { order: null, wanted: Number.POSITIVE_INFINITY });
  if (found || !hasColumns) {
    const { ids, isComplete } = found ?? newestTraces(context, scope, query, Number.MAX_SAFE_INTEGER - 1);
    return new TableVisit(context, traces, spans).run(ids) && isComplete;
  }
  visitColumns(context, scope, query, traces, spans);
  return true;
}

function visitColumns<N extends TraceColumn>(
  context: ReadContext,
  scope: number,
  query: TracesNarrowing,
  traces: TraceVisit<N>,
  spans: readonly SpanVisit[],
): void {
  const check = () => context.limit.check();
  const ids = new IdSet();
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  readMatches(findTraces(context, scope, query), traces.columns, check, (values, row, group) => {
    const id = group.first + row;
    ids.add(id);
    first = Math.min(first, id);
    last = Math.max(last, id);
    traces.visit(values, row, id);
  });
  if (last === 0) return;
  // The interval is compared with the bounds of a group, whose values then need not be read.
  const among: PlainCondition[] = [
    { column: 'trace', test: { intervals: [{ from: first, to: last }] } },
    { column: 'trace', test: { ids } },
  ];
  for (const { columns, plain, visit } of spans)
    readMatches(context.spanColumns.find(scope, [...plain, ...among], undefined), columns, check, (values, row) =>
      visit(values as Values<SpanColumn>, row),
    );
}

type Row = readonly number[];

class TableVisit<N extends TraceColumn> {
  readonly #context: ReadContext;
  readonly #traces: TraceVisit<N>;
  readonly #selectTraces;
  readonly #spans;

  constructor(context: ReadContext, traces: TraceVisit<N>, spans: readonly SpanVisit[]) {
    const { db } = context;
    this.#context = context;
    this.#traces = traces;
    const values = traces.columns.map((name) => traceResource.columns[name]).join();
    this.#selectTraces = db
      .prepare<[string], Row>(
        `SELECT trace.id, ${values} FROM json_each(?) AS place CROSS JOIN trace ON trace.id = place.value ORDER BY place.key`,
      )
      .raw();
    this.#spans = spans.map((span) => ({
      ...span,
      select: db
        .prepare<[string], Row>(
          `SELECT ${span.columns.map((name) => spanResource.columns[name]).join()}
           FROM json_each(?) AS place CROSS JOIN span ON span.trace = place.value WHERE ${span.sql} AND ${inTime('span.id')}`,
        )
        .raw(),
    }));
  }

  /** @returns whether there was time for all */
  run(ids: readonly number[]): boolean {
    const budget = new SearchBudget(this.#context.limit);
    try {
      for (let at = 0; at < ids.length; at += chunk) {
        this.#context.limit.check();
        this.#visit(ids.slice(at, at + chunk), budget);
      }
      return true;
    } catch (error) {
      if (error instanceof BudgetSpent) return false;
      throw error;
    }
  }

  #visit(ids: readonly number[], budget: SearchBudget): void {
    const { damageReporter } = this.#context;
    const rows = damageReporter.fetch(
      'trace',
      ids,
      () => this.#selectTraces.all(JSON.stringify(ids)),
      (id) => this.#selectTraces.get(JSON.stringify([id])),
    );
    const sound = rows.filter((row) => damageReporter.isNumeric('trace', row[0], row));
    const values = byColumn(
      this.#traces.columns,
      sound.map((row) => row.slice(1)),
    );
    sound.forEach(([id], row) => void this.#traces.visit(values, row, id as number));
    for (const { columns, select, visit } of this.#spans) {
      const spans = this.#spansOf(ids, select).filter((row) => damageReporter.isNumeric('database', `spans of trace ${ids[0]}`, row));
      const ofSpans = byColumn(columns, spans) as Values<SpanColumn>;
      spans.forEach((_, row) => void visit(ofSpans, row));
    }
    for (let i = 0; i < ids.length; i++) budget.check();
  }

  /** Read together, or trace by trace if one of them is damaged. */
  #spansOf(ids: readonly number[], select: { all(ids: string): Row[] }): Row[] {
    const read = (some: readonly number[]) =>
      this.#context.damageReporter.read('database', `spans of trace ${some[0]}`, () => select.all(JSON.stringify(some)));
    return read(ids) ?? ids.flatMap((id) => read([id]) ?? []);
  }
}

const byColumn = <N extends string>(columns: readonly N[], rows: readonly Row[]): Values<N> =>
  Object.fromEntries(columns.map((name, at) => [name, rows.map((row) => row[at] as number)])) as unknown as Values<N>;

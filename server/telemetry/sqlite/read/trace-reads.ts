import { and, asc, count, desc, eq, gt, gte, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { GraphNode, TraceDetail, TraceItem, TraceQuery } from '../../../../shared/contract/traces.ts';
import { must } from '../../../platform/assert.ts';
import { ByteSink } from '../../../platform/byte-sink.ts';
import type { TraceFields } from '../../trace-reader.ts';
import { statuses, termKey } from '../codes.ts';
import { readStoredId } from '../id-codec.ts';
import { scopes, terms, traces, traceTerms } from '../schema.ts';
import { boundOf } from './filters.ts';
import { graphOf } from './graph.ts';
import { nowhere } from './lookup.ts';
import type { ReadAnswer, Reading } from './reader.ts';
import { type ReadSpan, readSpanInTrace } from './span-payload.ts';
import { isoOf, metadataOf, oldestFirst, type SpanRow, shown, spanColumns } from './span-wire.ts';
import { writeTrace } from './trace-json.ts';

const dayUs = 24 * 3600 * 1e6;

type TraceRow = typeof traces.$inferSelect;

export class TraceReads {
  readonly #reading: Reading;
  readonly #spansOf;
  readonly #findTrace;

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#spansOf = reading.db.prepare<[number], SpanRow>(
      `SELECT ${spanColumns} FROM span JOIN trace ON trace.id = span.trace WHERE span.trace = ? AND ${shown} ORDER BY ${oldestFirst}`,
    );
    this.#findTrace = reading.db.prepare<[number], TraceRow>('SELECT * FROM trace WHERE id = ?');
  }

  list(scope: number, query: TraceQuery): ReadAnswer {
    const { orm, lookup, filters } = this.#reading;
    const where = this.#where(scope, query);
    if (query.filter) {
      const plain = { ...boundOf(sql.join(where, sql` AND `)), isNarrow: where.length > unfiltered };
      where.push(...filters.conditions('traces', scope, query.filter, plain));
    }
    const direction = query.sort_order === 'asc' ? asc : desc;
    const order = [direction(sortColumn[query.sort_by]), direction(traces.id)];
    // The page is found in the index alone; a deep one would otherwise fetch every row that it skips.
    const page = orm
      .select({ id: traces.id })
      .from(traces)
      .where(and(...where))
      .orderBy(...order)
      .limit(query.limit)
      .offset(query.offset);
    const rows = orm
      .select()
      .from(traces)
      .where(inArray(traces.id, page))
      .orderBy(...order)
      .all();

    const narrowed = where.length > unfiltered;
    const total = narrowed
      ? orm
          .select({ total: count() })
          .from(traces)
          .where(and(...where))
          .get()?.total
      : orm.select({ total: scopes.trace_count }).from(scopes).where(eq(scopes.id, scope)).get()?.total;
    return { value: rows.map((row) => traceItemOf(row, lookup.text(row.name))), total: total ?? 0 };
  }

  find(scope: number, traceId: string, fields: TraceFields): ReadAnswer {
    const id = this.#reading.lookup.trace(scope, traceId);
    if (id === nowhere) return { value: null, total: 0 };
    const row = must(this.#findTrace.get(id), `trace row ${id} is stored`);
    const spans = this.spansOf(id);
    const speaking = (span: number) => spans.find((each) => each.row.id === span);
    const {
      input_preview: _in,
      output_preview: _out,
      tags: _tags,
      span_count: _spans,
      error_count: _errors,
      ...item
    } = traceItemOf(row, this.#reading.lookup.text(row.name));
    const head: Omit<TraceDetail, 'spans'> = {
      ...item,
      metadata: metadataOf(this.#reading.documents, row.metadata),
    };
    const input = speaking(row.input_span)?.wire().input;
    const output = speaking(row.output_span)?.wire().output;
    if (input !== undefined) head.input = input;
    if (output !== undefined) head.output = output;
    if (fields.graph) head.graph = graphOf(spans);
    if (fields.scores) head.scores = this.#reading.scores.ofTrace(scope, id);
    const sink = new ByteSink();
    writeTrace(sink, head, spans);
    return { json: sink.finish(), total: 0 };
  }

  graph(scope: number, traceId: string): GraphNode[] {
    const id = this.#reading.lookup.trace(scope, traceId);
    return id === nowhere ? [] : graphOf(this.spansOf(id));
  }

  spansOf(trace: number): ReadSpan[] {
    return this.#spansOf.all(trace).map((row) => readSpanInTrace(row, this.#reading));
  }

  #where(scope: number, query: TraceQuery): SQL[] {
    const { lookup } = this.#reading;
    const where: SQL[] = [eq(traces.scope, scope), gt(traces.span_count, 0)];
    const holds = (key: string, value: string | undefined) => {
      if (value !== undefined) where.push(inArray(traces.id, tracesWith([lookup.term(scope, key, value)])));
    };
    if (query.start_date) where.push(gte(traces.start_us, Date.parse(query.start_date) * 1000));
    if (query.end_date) where.push(lt(traces.start_us, Date.parse(query.end_date) * 1000 + dayUs));
    if (query.status) where.push(eq(traces.status, statuses.indexOf(query.status)));
    if (query.name !== undefined) {
      where.push(inArray(traces.name, [lookup.term(scope, termKey.name, query.name), lookup.term(scope, termKey.traceName, query.name)]));
    }
    holds(termKey.user, query.user_id);
    holds(termKey.model, query.model);
    holds(termKey.session, query.session_id);
    holds(termKey.datasetRun, query.dataset_run_id);
    holds(termKey.commit, query.commit_sha);
    if (query.tag) where.push(inArray(traces.id, tracesWith(query.tag.map((tag) => lookup.term(scope, termKey.tag, tag)))));
    return where;
  }
}

/** How many conditions every list has. */
const unfiltered = 2;

const sortColumn = {
  name: sql`(SELECT ${terms.value} FROM ${terms} WHERE ${terms.id} = ${traces.name})`,
  status: traces.status,
  latency: traces.latency_ns,
  cost: traces.cost,
  tokens: traces.tokens,
  start_time: traces.listed_us,
} as const;

const tracesWith = (ids: number[]): SQL => sql`(SELECT ${traceTerms.trace} FROM ${traceTerms} WHERE ${inArray(traceTerms.term, ids)})`;

function traceItemOf(row: TraceRow, name: string): TraceItem {
  const item: TraceItem = {
    id: readStoredId(row.trace_id),
    name,
    status: statuses[row.status] ?? 'UNSET',
    start: isoOf(row.start_us),
    end: isoOf(row.end_us),
    latency_ms: row.latency_ns / 1e6,
    cost: row.cost,
    tokens: row.tokens,
    span_count: row.span_count,
    error_count: row.error_count,
    tags: JSON.parse(row.tags) as string[],
  };
  if (row.input_preview !== '') item.input_preview = row.input_preview;
  if (row.output_preview !== '') item.output_preview = row.output_preview;
  return item;
}

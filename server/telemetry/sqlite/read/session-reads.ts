import type { SessionItem, SessionQuery, SessionTrace } from '../../../../shared/contract/tracing/sessions.ts';
import { ByteSink } from '../../../platform/byte-sink.ts';
import { Encoded } from '../../encoded.ts';
import { statuses, termKey } from '../file/codes.ts';
import { requireNumbers, storedTags } from '../file/damaged.ts';
import { readStoredId } from '../file/id-codec.ts';
import { isoOf } from './iso-time.ts';
import { noRow } from './lookup.ts';
import { ReadPage } from './read-answer.ts';
import type { ReadContext } from './read-context.ts';
import { inTime } from './time-limit.ts';
import { writeList, writeTrace } from './trace-json.ts';
import type { TraceReads } from './trace-reads.ts';
import { sessionItem } from './wire-items.ts';

interface SessionRow {
  id: number;
  session_id: string;
  name: string;
  start_us: number;
  end_us: number;
  trace_count: number;
  cost: number;
  tokens: number;
  latency_ns: number;
  tags: string;
}

interface SessionTraceRow {
  id: number;
  trace_id: unknown;
  name: string;
  status: number;
  start_us: number;
  end_us: number;
  latency_ns: number;
  cost: number;
  tokens: number;
}

const sortColumn: Record<SessionQuery['sort_by'], string> = {
  name: 'session.name',
  start: 'session.start_us',
  end: 'session.end_us',
  trace_count: 'session.trace_count',
  total_cost: 'session.cost',
  total_tokens: 'session.tokens',
  latency_ms: 'session.latency_ns',
};

export class SessionReads {
  readonly #context: ReadContext;
  readonly #traces: TraceReads;
  readonly #tracesOf;

  constructor(context: ReadContext, traces: TraceReads) {
    this.#context = context;
    this.#traces = traces;
    this.#tracesOf = context.db.prepare<[number], SessionTraceRow>(`
      SELECT trace.id, trace.trace_id, (SELECT value FROM term WHERE term.id = trace.name) AS name, trace.status, trace.start_us,
             trace.end_us, trace.latency_ns, trace.cost, trace.tokens
      FROM all_trace_terms AS terms CROSS JOIN trace ON trace.id = terms.trace
      WHERE terms.term = ? AND trace.span_count > 0 AND trace.bookkeeping = 0 ORDER BY trace.start_us, trace.id`);
  }

  list(scope: number, query: SessionQuery): ReadPage<SessionItem> {
    const { db, damageReporter } = this.#context;
    const where = ['session.scope = ?', inTime('session.id')];
    const values: unknown[] = [scope];
    const add = (sql: string, ...bound: unknown[]) => {
      where.push(sql);
      values.push(...bound);
    };
    // A session matches a range that it overlaps.
    if (query.start_date) add('session.end_us >= ?', Date.parse(query.start_date) * 1000);
    if (query.end_date) add('session.start_us < ?', (Date.parse(query.end_date) + 1) * 1000);
    if (query.search) add('(instr(fold(term.value), fold(?)) > 0 OR instr(fold(session.name), fold(?)) > 0)', query.search, query.search);
    // Only a search reads the ids of sessions that are not on the page.
    const from = `FROM session ${query.search ? 'JOIN term ON term.id = session.id' : ''} WHERE ${where.join(' AND ')}`;
    const direction = query.sort_order === 'asc' ? 'ASC' : 'DESC';
    const ids = db
      .prepare<unknown[], number>(
        `SELECT session.id ${from} ORDER BY ${sortColumn[query.sort_by]} ${direction}, session.id ${direction} LIMIT ? OFFSET ?`,
      )
      .pluck()
      .all(...values, query.limit, query.offset);
    const select = db.prepare<[string], SessionRow>(
      `SELECT session.id, term.value AS session_id, session.name, session.start_us, session.end_us, session.trace_count, session.cost,
         session.tokens, session.latency_ns, session.tags
       FROM json_each(?) AS place CROSS JOIN session ON session.id = place.value JOIN term ON term.id = session.id ORDER BY place.key`,
    );
    const rows = damageReporter.fetch(
      'session',
      ids,
      () => select.all(JSON.stringify(ids)),
      (id) => select.get(JSON.stringify([id])),
    );
    const total = db
      .prepare<unknown[], number>(`SELECT count(*) ${from}`)
      .pluck()
      .get(...values);
    return new ReadPage(damageReporter.rows('session', rows, sessionItemOf), total ?? 0);
  }

  traces(scope: number, sessionId: string): Encoded<SessionTrace[]> {
    const term = this.#context.lookup.term(scope, termKey.session, sessionId);
    const rows = term === noRow ? [] : this.#tracesOf.all(term);
    const sink = new ByteSink();
    const heads = this.#context.damageReporter.rows('trace', rows, (row) => ({ id: row.id, head: sessionTraceOf(row) }));
    writeList(sink, heads, ({ id, head }) => writeTrace(sink, head, this.#traces.spansOf(id)));
    return new Encoded(sink.finish());
  }
}

function sessionTraceOf(row: SessionTraceRow): Omit<SessionTrace, 'spans'> {
  requireNumbers(row, ['latency_ns', 'cost', 'tokens'], 'A trace');
  return {
    id: readStoredId(row.trace_id),
    name: row.name ?? '',
    status: statuses[row.status] ?? 'UNSET',
    start: isoOf(row.start_us),
    end: isoOf(row.end_us),
    latency_ms: row.latency_ns / 1e6,
    cost: row.cost,
    tokens: row.tokens,
  };
}

function sessionItemOf(row: SessionRow): SessionItem {
  requireNumbers(row, ['trace_count', 'cost', 'tokens', 'latency_ns'], 'A session');
  return sessionItem({ ...row, id: row.session_id, tags: storedTags(row.tags) });
}

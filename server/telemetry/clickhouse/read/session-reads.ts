/** Sessions: each is all traces with at least one span that has its id (docs/reference/ingest.md#sessions). */
import type { SessionItem, SessionQuery, SessionTrace } from '../../../../shared/contract/tracing/sessions.ts';
import type { Scope } from '../../../platform/scope.ts';
import { Encoded, type EncodedPage } from '../../encoded.ts';
import { type SessionValues, sessionItem } from '../../sqlite/read/wire-items.ts';
import type { SessionReader } from '../../trace-reader.ts';
import { type CountedTrace, copiesOf } from './copies.ts';
import { containsFolded } from './fold-sql.ts';
import { ofApp, type ReadContext } from './read-context.ts';
import { all, any, integer, raw, type Sql, sql } from './sql.ts';
import { smallestText, sumOfCosts, sumOfTokens } from './sums.ts';

const sortColumn: Record<SessionQuery['sort_by'], string> = {
  name: 'name',
  start: 'start_us',
  end: 'end_us',
  trace_count: 'trace_count',
  total_cost: 'cost',
  total_tokens: 'tokens',
  latency_ms: 'latency_ns',
};

const columns = 'id, name, start_us, end_us, trace_count, cost, tokens, latency_ns, tags';

const sessions = `
  SELECT arrayJoin(sessions) AS id, min(trace.start_us) AS start_us, max(trace.end_us) AS end_us, count() AS trace_count,
    ${sumOfCosts('trace.cost')} AS cost, ${sumOfTokens('trace.tokens')} AS tokens, max(longest_ns) AS latency_ns,
    arraySort(groupUniqArrayArray(trace.tags)) AS tags, min(trace.arrival) AS arrival,
    ${smallestText('session_name')} AS by_session, ${smallestText('prompt_name')} AS by_prompt, ${smallestText('trace_name')} AS by_trace,
    multiIf(by_session <> '', by_session, by_prompt <> '', by_prompt, by_trace) AS name
  FROM trace FINAL WHERE ${ofApp} AND notEmpty(sessions) AND bookkeeping = 0 GROUP BY id`;

export class SessionReads implements SessionReader {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  async list(scope: Scope, query: SessionQuery): Promise<EncodedPage<SessionItem>> {
    const where: Sql[] = [];
    // A session matches a range that it overlaps.
    if (query.start_date) where.push(sql`end_us >= ${integer(Date.parse(query.start_date) * 1000)}`);
    if (query.end_date) where.push(sql`start_us < ${integer((Date.parse(query.end_date) + 1) * 1000)}`);
    if (query.search) where.push(any([containsFolded(raw('id'), query.search), containsFolded(raw('name'), query.search)]));
    const direction = query.sort_order === 'asc' ? 'ASC' : 'DESC';
    const order = raw(`${sortColumn[query.sort_by]} ${direction}, arrival ${direction}, id ${direction}`);
    const { rows, total } = await this.#context.page<SessionValues>(
      scope,
      sql`SELECT ${raw(columns)} FROM (${raw(sessions)}) WHERE ${all(where)} ORDER BY ${order}
          LIMIT ${integer(query.limit)} OFFSET ${integer(query.offset)}`,
    );
    return { data: Encoded.of(rows.map(sessionItem)), total };
  }

  async traces(scope: Scope, sessionId: string): Promise<Encoded<SessionTrace[]>> {
    const traces = await this.#context.inApp<CountedTrace>(
      scope,
      `SELECT trace_id, span_count FROM trace FINAL WHERE ${ofApp} AND has(sessions, {session:String}) AND bookkeeping = 0 ORDER BY start_us, arrival`,
      { session: sessionId },
    );
    const found: SessionTrace[] = [];
    for (const copy of copiesOf(traces)) {
      // The copy may have further traces of a conversation, which are not complete in it.
      const ids = new Set(copy.map(({ trace_id }) => trace_id));
      const copied = await this.#context.over(scope, [...ids]).sessions.traces(scope, sessionId);
      found.push(...copied.decode().filter(({ id }) => ids.has(id)));
    }
    return Encoded.of(found);
  }
}

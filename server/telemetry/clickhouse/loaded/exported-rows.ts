/** Rows for ClickHouse of what was written to a copy of traces. */
import { must } from '../../../platform/assert.ts';
import type { Scope } from '../../../platform/scope.ts';
import { readStoredId } from '../../sqlite/file/id-codec.ts';
import type { OpenDatabase } from '../../sqlite/file/open.ts';
import { hourOf, type ScoreRow, type TraceRow } from '../stored-rows.ts';
import type { ChangedRows } from './changes.ts';
import { ExportedSpans } from './exported-spans.ts';
import { ownScoreKey, scoredKey } from './score-keys.ts';
import { type AppChanges, addLog, addRecord, type NextArrival, noChanges, SentItems, type WrittenBatch } from './sent-items.ts';

const term = (column: string) => `coalesce((SELECT value FROM term WHERE term.id = ${column}), '')`;
const document = (column: string) => `coalesce((SELECT json FROM document WHERE document.id = ${column}), '')`;
const spanIdOf = (column: string) => `(SELECT span_id FROM span AS other WHERE other.id = ${column})`;

const traceSql = `
SELECT trace.id, scope.tenant_id, scope.app_id, trace.trace_id, ${term('trace.name')} AS name, trace.status, trace.start_us, trace.end_us,
  trace.listed_us, trace.latency_ns, trace.longest_ns, trace.cost, trace.tokens, trace.input_tokens, trace.output_tokens,
  trace.span_count, trace.error_count, trace.pending_count, trace.bookkeeping, ${spanIdOf('trace.root')} AS root_span,
  ${term('(SELECT service FROM span AS other WHERE other.id = trace.root)')} AS root_service,
  ${term('trace.session')} AS session, ${term('trace.user')} AS user, ${document('trace.metadata')} AS metadata,
  ${term('trace.session_name')} AS session_name, ${term('trace.prompt_name')} AS prompt_name, ${term('trace.trace_name')} AS trace_name,
  ${spanIdOf('trace.input_span')} AS input_span, ${spanIdOf('trace.output_span')} AS output_span,
  trace.input_preview, trace.output_preview, trace.tags, trace.added_tags,
  stored_trace.arrival AS stored_arrival, stored_trace.hour AS stored_hour
FROM trace JOIN scope ON scope.id = trace.scope LEFT JOIN stored_trace ON stored_trace.id = trace.id WHERE trace.id = ?`;

interface TraceSqlRow extends Omit<TraceRow, TraceFieldsToRead>, Scope {
  id: number;
  trace_id: unknown;
  root_span: unknown;
  input_span: unknown;
  output_span: unknown;
  metadata: string;
  tags: string;
  added_tags: string;
  stored_arrival: number | null;
  stored_hour: number | null;
}
type TraceFieldsToRead =
  | 'hour'
  | 'trace_id'
  | 'score_key'
  | 'arrival'
  | 'root_span'
  | 'input_span'
  | 'output_span'
  | 'metadata'
  | 'tags'
  | 'added_tags'
  | 'terms';

export class ExportedRows {
  readonly #changes: ChangedRows;
  readonly #spans: ExportedSpans;
  readonly #trace;
  readonly #terms;
  readonly #hours;
  readonly #conversations;
  readonly #log;
  readonly #score;
  readonly #rememberTrace;

  constructor(db: OpenDatabase, changes: ChangedRows) {
    this.#changes = changes;
    this.#spans = new ExportedSpans(db);
    this.#trace = db.prepare<[number], TraceSqlRow>(traceSql);
    this.#terms = db
      .prepare<[number], [string, string]>(
        'SELECT term.key, term.value FROM all_trace_terms JOIN term ON term.id = all_trace_terms.term WHERE all_trace_terms.trace = ? ORDER BY 1, 2',
      )
      .raw();
    this.#hours = db
      .prepare<[number], number>(
        'SELECT DISTINCT hour FROM stored_span JOIN span USING (id) WHERE span.trace = ? AND hour >= 0 ORDER BY hour',
      )
      .pluck();
    this.#conversations = db
      .prepare<[number, number, string], Buffer>(
        `SELECT conversation FROM agent_log JOIN span_log ON span_log.id = agent_log.log WHERE span_log.trace = ?
         UNION SELECT conversation FROM agent_prompt WHERE trace = ? OR link_trace = ?`,
      )
      .pluck();
    this.#log = db.prepare<[number], { hash: Buffer } & Scope>(
      `SELECT hash, tenant_id, app_id FROM span_log JOIN trace ON trace.id = span_log.trace JOIN scope ON scope.id = trace.scope
       WHERE span_log.id = ?`,
    );
    this.#score = db.prepare<[number], Record<string, unknown> & Scope & { resource: unknown }>(
      'SELECT score.*, scope.tenant_id, scope.app_id FROM score JOIN scope ON scope.id = score.scope WHERE score.id = ?',
    );
    this.#rememberTrace = db.prepare('INSERT OR REPLACE INTO stored_trace (id, arrival, hour) VALUES (?, ?, ?)');
  }

  /** What changed since the last call, by app. Call it once the write is done. */
  take(written: readonly WrittenBatch[], nextArrival: NextArrival): AppChanges[] {
    const apps = new Map<string, AppChanges>();
    const of = ({ tenant_id, app_id }: Scope): AppChanges => {
      const key = JSON.stringify([tenant_id, app_id]);
      const existing = apps.get(key);
      if (existing) return existing;
      const added = noChanges({ tenant_id, app_id });
      apps.set(key, added);
      return added;
    };
    const sent = new SentItems(written, nextArrival);
    for (const { scope, trace_id, span_id, isPending, arrival, rows, hasRecord } of this.#spans.take(sent, nextArrival)) {
      const changes = of(scope);
      changes.spans.push(...rows);
      const item = hasRecord ? sent.span(scope, trace_id, span_id, isPending) : null;
      if (item) addRecord(changes, item, arrival);
    }
    for (const id of this.#changes.of('changed_log')) {
      const row = must(this.#log.get(id), 'a changed log record is stored');
      addLog(of(row), must(sent.log(row, row.hash.toString('hex')), 'a log record was sent'));
    }
    for (const id of this.#changes.of('changed_trace'))
      this.#exportTrace(must(this.#trace.get(id), 'a changed trace is stored'), of, nextArrival);
    for (const id of this.#changes.of('changed_score')) {
      const row = must(this.#score.get(id), 'a changed score is stored');
      of(row).scores.push(scoreRow(row, nextArrival()));
    }
    this.#changes.clear();
    return [...apps.values()];
  }

  #exportTrace(row: TraceSqlRow, of: (scope: Scope) => AppChanges, nextArrival: NextArrival): void {
    const { id, tenant_id: _tenant, app_id: _app, stored_arrival, stored_hour, metadata, tags, added_tags, ...values } = row;
    const changes = of(row);
    const trace_id = readStoredId(row.trace_id);
    const arrival = stored_arrival ?? nextArrival();
    const hour = row.span_count > 0 ? hourOf(row.listed_us) : -1;
    this.#rememberTrace.run(id, arrival, hour);
    if (stored_hour !== null && stored_hour >= 0 && stored_hour !== hour) changes.traces.push({ hour: stored_hour, trace_id, gone: 1 });
    const addedTags = parsed<string[]>(added_tags, []);
    changes.places.push({
      trace_id,
      arrival,
      hour: Math.max(hour, 0),
      listed_us: row.listed_us,
      added_tags: addedTags,
      span_hours: this.#hours.all(id),
      conversations: this.#conversations.all(id, id, trace_id).map((conversation) => conversation.toString('hex')),
    });
    if (hour < 0) return;
    const spanId = (stored: unknown) => (stored === null ? '' : readStoredId(stored));
    changes.traces.push({
      ...values,
      trace_id,
      score_key: ownScoreKey(row.trace_id),
      hour,
      arrival,
      root_span: spanId(row.root_span),
      input_span: spanId(row.input_span),
      output_span: spanId(row.output_span),
      metadata: parsed(metadata, {}),
      tags: parsed(tags, []),
      added_tags: addedTags,
      terms: this.#terms.all(id),
    });
  }
}

const parsed = <T>(json: string, none: T): T => (json === '' ? none : (JSON.parse(json) as T));

function scoreRow(row: Record<string, unknown> & { resource: unknown }, arrival: number): ScoreRow {
  const { id: _id, scope: _scope, tenant_id: _tenant, app_id: _app, resource, ...values } = row;
  return { ...(values as Omit<ScoreRow, 'resource' | 'arrival'>), resource: scoredKey(resource), arrival };
}

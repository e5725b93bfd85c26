/**
 * Rows of the table `span` for what was written to a copy of traces. Names, sessions and other terms are read once in the life of the copy, not for
 * each of their spans.
 */
import { must } from '../../../platform/assert.ts';
import type { Scope } from '../../../platform/scope.ts';
import { flag } from '../../sqlite/file/codes.ts';
import { readStoredId } from '../../sqlite/file/id-codec.ts';
import type { OpenDatabase } from '../../sqlite/file/open.ts';
import { hourOf, type SpanChange, type SpanHotRow } from '../stored-rows.ts';
import { ownScoreKey } from './score-keys.ts';
import type { NextArrival, SentItems } from './sent-items.ts';

export interface ExportedSpan {
  scope: Scope;
  trace_id: string;
  span_id: string;
  isPending: boolean;
  arrival: number;
  /** None for a span that lists do not show, unless they did before. */
  rows: SpanChange[];
  /** Whether what was sent was stored or replaced. */
  hasRecord: boolean;
}

const changedSql = `
SELECT changed_span.id, span.scope, span.trace, span.span_id, span.parent_id, span.name, span.start_us, span.start_rest_ns, span.duration_ns,
  span.status, span.type, span.kind, span.flags, span.status_message, span.model, span.service, span.session, span.user, span.prompt,
  span.trace_name, span.finish_reason, span.input_tokens, span.output_tokens, span.tokens, span.cache_read_tokens,
  span.cache_write_tokens, span.reasoning_tokens, span.cost, span.cost_source, span.ttft_us, span.metadata, span.tags,
  span.environment, span.environment_version, stored_span.arrival AS stored_arrival, stored_span.hour AS stored_hour,
  changed_record.id IS NOT NULL AS has_record
-- The first LEFT JOIN makes SQLite begin with the few changed spans; without statistics it would go through all spans of the copy.
FROM changed_span LEFT JOIN span USING (id) LEFT JOIN stored_span USING (id) LEFT JOIN changed_record USING (id)
ORDER BY changed_span.id`;

/** Columns that hold the row of a term or document. */
type Referring =
  | 'name'
  | 'model'
  | 'service'
  | 'session'
  | 'user'
  | 'prompt'
  | 'trace_name'
  | 'finish_reason'
  | 'metadata'
  | 'tags'
  | 'environment';

interface ChangedSpan
  extends Omit<SpanHotRow, 'hour' | 'trace_id' | 'span_id' | 'score_key' | 'parent_id' | 'arrival' | 'status_message' | Referring>,
    Record<Referring, number | null> {
  id: number;
  scope: number;
  trace: number;
  span_id: unknown;
  parent_id: unknown;
  status_message: string | null;
  stored_arrival: number | null;
  stored_hour: number | null;
  has_record: 0 | 1;
}

export class ExportedSpans {
  readonly #changed;
  readonly #remember;
  readonly #scope: (id: number) => Scope;
  readonly #traceId: (id: number) => string;
  readonly #term: (id: number | null) => string;
  readonly #tags: (id: number | null) => string[];
  readonly #metadata: (id: number | null) => Record<string, string>;

  constructor(db: OpenDatabase) {
    this.#changed = db.prepare<[], ChangedSpan>(changedSql);
    this.#remember = db.prepare('INSERT OR REPLACE INTO stored_span (id, arrival, hour) VALUES (?, ?, ?)');
    const scope = db.prepare<[number], Scope>('SELECT tenant_id, app_id FROM scope WHERE id = ?');
    const value = db.prepare<[number], string>('SELECT value FROM term WHERE id = ?').pluck();
    const json = db.prepare<[number], string>('SELECT json FROM document WHERE id = ?').pluck();
    const traceId = db.prepare<[number], unknown>('SELECT trace_id FROM trace WHERE id = ?').pluck();
    this.#scope = readOnce((id) => must(scope.get(id), 'a changed span is stored, and has a scope'));
    this.#traceId = readOnce((id) => readStoredId(must(traceId.get(id), 'a changed span is stored, and has a trace')));
    this.#term = unlessNull(
      '',
      readOnce((id) => value.get(id) ?? ''),
    );
    this.#tags = unlessNull(
      [],
      readOnce((id) => parsed<string[]>(value.get(id), [])),
    );
    this.#metadata = unlessNull(
      {},
      readOnce((id) => parsed<Record<string, string>>(json.get(id), {})),
    );
  }

  /** Those that changed since the changes were cleared, in the order in which they were first written. */
  take(sent: Pick<SentItems, 'arrivalOf'>, nextArrival: NextArrival): ExportedSpan[] {
    return this.#changed.all().map((span) => {
      const { id, stored_hour } = span;
      const ids = { trace_id: this.#traceId(span.trace), span_id: readStoredId(span.span_id) };
      const scope = this.#scope(span.scope);
      const arrival = span.stored_arrival ?? sent.arrivalOf(scope, ids.trace_id, ids.span_id) ?? nextArrival();
      const hour = (span.flags & flag.placeholder) === 0 ? hourOf(span.start_us) : -1;
      this.#remember.run(id, arrival, hour);
      const rows: SpanChange[] = [];
      if (stored_hour !== null && stored_hour >= 0 && stored_hour !== hour) rows.push({ hour: stored_hour, ...ids, gone: 1 });
      if (hour >= 0) rows.push(this.#row(span, { ...ids, hour, arrival }));
      const isPending = (span.flags & flag.pending) !== 0;
      return { scope, ...ids, isPending, arrival, rows, hasRecord: span.has_record === 1 };
    });
  }

  /** Every field by name: spreading rows of forty columns takes longer than reading them. */
  #row(span: ChangedSpan, key: Pick<SpanHotRow, 'hour' | 'trace_id' | 'span_id' | 'arrival'>): SpanHotRow {
    return {
      hour: key.hour,
      trace_id: key.trace_id,
      span_id: key.span_id,
      score_key: ownScoreKey(span.span_id),
      parent_id: span.parent_id === null ? '' : readStoredId(span.parent_id),
      arrival: key.arrival,
      name: this.#term(span.name),
      start_us: span.start_us,
      start_rest_ns: span.start_rest_ns,
      duration_ns: span.duration_ns,
      status: span.status,
      type: span.type,
      kind: span.kind,
      flags: span.flags,
      status_message: span.status_message ?? '',
      model: this.#term(span.model),
      service: this.#term(span.service),
      session: this.#term(span.session),
      user: this.#term(span.user),
      prompt: this.#term(span.prompt),
      trace_name: this.#term(span.trace_name),
      finish_reason: this.#term(span.finish_reason),
      input_tokens: span.input_tokens,
      output_tokens: span.output_tokens,
      tokens: span.tokens,
      cache_read_tokens: span.cache_read_tokens,
      cache_write_tokens: span.cache_write_tokens,
      reasoning_tokens: span.reasoning_tokens,
      cost: span.cost,
      cost_source: span.cost_source,
      ttft_us: span.ttft_us,
      metadata: this.#metadata(span.metadata),
      tags: this.#tags(span.tags),
      environment: span.environment === null ? null : this.#term(span.environment),
      environment_version: span.environment_version,
    };
  }
}

const parsed = <T>(json: string | undefined, none: T): T => (json === undefined || json === '' ? none : (JSON.parse(json) as T));

/** Rows by their ids. Nothing changes or removes such rows of a writer's copy: when it would have to, the copy is thrown away. */
function readOnce<T>(read: (id: number) => T): (id: number) => T {
  const known = new Map<number, T>();
  return (id) => {
    const value = known.get(id) ?? read(id);
    known.set(id, value);
    return value;
  };
}

const unlessNull =
  <T>(none: T, read: (id: number) => T) =>
  (id: number | null): T =>
    id === null ? none : read(id);

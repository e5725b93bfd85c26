/** Spans and log records of a SQLite store as rows of the ClickHouse store, with the bytes that were stored. */
import { isPlaceholder } from '../../ingest/agent-records/agent-span.ts';
import { turnRecordOf } from '../../ingest/agent-records/turn-record.ts';
import type { Pricing } from '../../ingest/cost/pricing.ts';
import type { RawLog, RawResource, RawScope } from '../../ingest/otlp/raw-span.ts';
import { deriveColumns } from '../../ingest/prepare/derive-columns.ts';
import { callHashes } from '../../ingest/prepare/prepare.ts';
import type { PreparedSpan, SpanColumns } from '../../ingest/prepare/prepared.ts';
import { decodeLog, decodeRecord } from '../../ingest/prepare/record.ts';
import { must } from '../../platform/assert.ts';
import type { Scope } from '../../platform/scope.ts';
import { preparedText } from '../../telemetry/clickhouse/loaded/replay.ts';
import { attributionText, type LogRow, type RecordRow, type SpanHotRow } from '../../telemetry/clickhouse/stored-rows.ts';
import { costSources, flag, kinds, statuses, types } from '../../telemetry/sqlite/file/codes.ts';
import { decoding, stored } from '../../telemetry/sqlite/file/damaged.ts';
import { readStoredId } from '../../telemetry/sqlite/file/id-codec.ts';
import type { OpenDatabase } from '../../telemetry/sqlite/file/open.ts';
import { RecordReader, readRecord } from '../../telemetry/sqlite/read/record-reader.ts';
import type { Place } from '../../telemetry/sqlite/write/block-builder.ts';

const term = (column: string) => `coalesce((SELECT value FROM term WHERE term.id = ${column}), '')`;
const document = (column: string) => `coalesce((SELECT json FROM document WHERE document.id = ${column}), '')`;

/** Selects a SentSpan from `span`, its `trace`, `scope` and `block`. */
export const sentSpanColumns = `span.id, scope.tenant_id, scope.app_id, trace.trace_id, span.span_id, span.parent_id, span.block, span.at, span.size,
  block.received_ms, ${document('span.resource')} AS resource, ${document('span.instrumentation')} AS instrumentation,
  iif(span.environment IS NULL, NULL, ${term('span.environment')}) AS environment, span.environment_version,
  span.flags, ${term('span.name')} AS name, span.start_us, span.start_rest_ns, span.duration_ns, span.status, span.type, span.kind,
  coalesce(span.status_message, '') AS status_message, ${term('span.model')} AS model, ${term('span.service')} AS service,
  ${term('span.session')} AS session, ${term('span.user')} AS user, ${term('span.prompt')} AS prompt, ${term('span.trace_name')} AS trace_name,
  ${term('span.finish_reason')} AS finish_reason, span.input_tokens, span.output_tokens, span.tokens, span.cache_read_tokens,
  span.cache_write_tokens, span.reasoning_tokens, span.cost, span.cost_source, span.ttft_us, ${document('span.metadata')} AS metadata,
  ${term('span.tags')} AS tags`;

/** Encoded in another way, or not stored. */
type OtherColumns = 'trace_id' | 'span_id' | 'parent_id' | 'hour' | 'score_key' | 'arrival' | 'metadata' | 'tags';

export interface SentSpan extends Place, Scope, Omit<SpanHotRow, OtherColumns> {
  id: number;
  trace_id: unknown;
  span_id: unknown;
  parent_id: unknown;
  received_ms: number;
  resource: string;
  instrumentation: string;
  /** JSON. */
  metadata: string;
  /** JSON, or ''. */
  tags: string;
}

/** Selects a SentLog from `span_log`, its `trace`, `scope` and `block`, its `agent_log` if it has one, and the span that it stands on, `made`. */
export const sentLogColumns = `span_log.id, scope.tenant_id, scope.app_id, trace.trace_id, span_log.span_id, span_log.hash, span_log.block,
  span_log.at, span_log.size, block.received_ms, agent_log.conversation, agent_log.own_trace, agent_log.own_span,
  (SELECT resource FROM agent_prompt WHERE agent_prompt.scope = agent_log.scope AND agent_prompt.conversation = agent_log.conversation
     AND agent_prompt.prompt = agent_log.prompt) AS resource,
  iif(made.environment IS NULL, NULL, ${term('made.environment')}) AS environment, made.environment_version`;

export interface SentLog extends Place, Scope {
  id: number;
  trace_id: unknown;
  span_id: unknown;
  hash: Buffer;
  received_ms: number;
  /** Null for a record that always belongs to the span that it was sent with: it is of no turn, or Codex or Gemini CLI sent it with a span. */
  conversation: Buffer | null;
  /** The span that a record of a turn was sent with; null for none. */
  own_trace: string | null;
  own_span: string | null;
  resource: string | null;
  environment: string | null;
  environment_version: number | null;
}

/** A span as sent, without what was derived from it. */
export type RawRecord = Omit<RecordRow, 'prepared'>;
/** A log record as sent, without the turn that was derived from it. */
export type RawLogRecord = Omit<LogRow, 'turn'>;

/** Whether a span was made for log records, and not sent. @throws StorageError `corrupt` */
export const isMade = ({ instrumentation }: SentSpan): boolean =>
  instrumentation.includes('glasshouse.agent-records') &&
  isPlaceholder({ scope: decoding('A span', () => JSON.parse(instrumentation)) } as Parameters<typeof isPlaceholder>[0]);

/** Long texts by hash. */
export class LongTexts extends Map<string, string> {
  /** Of all texts, in characters. */
  length = 0;

  override set(hash: string, text: string): this {
    this.length += text.length;
    return super.set(hash, text);
  }
}

export class SentRows {
  readonly #pricing: Pricing;
  readonly #records: RecordReader;
  readonly #text;

  constructor(db: OpenDatabase, pricing: Pricing) {
    this.#pricing = pricing;
    this.#records = new RecordReader(db);
    this.#text = db.prepare<[number], Place & { hash: Buffer }>('SELECT hash, block, at, size FROM chunk WHERE id = ?');
  }

  /** @throws StorageError `corrupt` */
  rawRecord(span: SentSpan): RawRecord {
    const { json, textIds } = this.#open(span);
    return {
      trace_id: readStoredId(span.trace_id),
      span_id: readStoredId(span.span_id),
      arrival: span.id,
      received_ms: span.received_ms,
      attribution: attributionOf(span),
      resource: span.resource,
      instrumentation: span.instrumentation,
      record: json,
      texts: textIds.map((id) => this.#chunk(id).hash.toString('hex')),
    };
  }

  /** @param texts receives the long texts, by hash. @throws StorageError `corrupt` */
  record(span: SentSpan, texts: LongTexts): RecordRow {
    const raw = this.rawRecord(span);
    this.#readTexts(span, texts);
    const ids = { ...raw, parent_id: span.parent_id === null ? null : readStoredId(span.parent_id) };
    const sent = decoding('A record', () => {
      const { span: decoded } = decodeRecord(raw.record, ids, (index) => must(texts.get(raw.texts[index] ?? ''), 'a text was read'));
      return { span: decoded, resource: JSON.parse(raw.resource) as RawResource, scope: JSON.parse(raw.instrumentation) as RawScope };
    });
    const { columns } = deriveColumns(sent, this.#pricing, raw.received_ms);
    if (span.environment !== null) columns.environment = span.environment;
    // Log records change the columns: those of the span alone are what its record has.
    const own = (span.flags & flag.hasLogs) === 0 ? { ...columns, ...storedColumns(span) } : columns;
    const prepared = { ...own, parent_id: ids.parent_id, ...callHashes(sent, own) } as PreparedSpan;
    return { ...raw, prepared: preparedText(prepared) };
  }

  /** @throws StorageError `corrupt` */
  rawLog(log: SentLog): RawLogRecord {
    const { json, textIds } = this.#open(log);
    const isOfTurn = log.conversation !== null;
    const hasNoSpan = isOfTurn && log.own_span === null;
    return {
      trace_id: isOfTurn ? (log.own_trace ?? '') : readStoredId(log.trace_id),
      span_id: isOfTurn ? (log.own_span ?? '') : readStoredId(log.span_id),
      conversation: log.conversation?.toString('hex') ?? '',
      hash: log.hash.toString('hex'),
      arrival: log.id,
      received_ms: log.received_ms,
      attribution: hasNoSpan ? attributionOf(log) : '',
      resource: hasNoSpan ? (log.resource ?? '') : '',
      record: json,
      texts: textIds.map((id) => this.#chunk(id).hash.toString('hex')),
    };
  }

  /** @param texts receives the long texts, by hash. @throws StorageError `corrupt` */
  log(log: SentLog, texts: LongTexts): LogRow {
    const raw = this.rawLog(log);
    this.#readTexts(log, texts);
    const sent = decoding('A log record', () =>
      decodeLog(raw.record, raw, (index) => must(texts.get(raw.texts[index] ?? ''), 'a text was read')),
    );
    const turn = turnRecordOf(asReceived(sent));
    const isKept = turn !== null && (raw.span_id === '' || turn.prompt !== null);
    return { ...raw, turn: isKept ? JSON.stringify(turn) : '' };
  }

  #open(place: Place): { json: string; textIds: number[] } {
    const { json, textIds } = readRecord(this.#records.bytes(place));
    return { json: json.toString(), textIds };
  }

  #readTexts(place: Place, texts: LongTexts): void {
    for (const id of this.#open(place).textIds) {
      const { hash, ...at } = this.#chunk(id);
      const key = hash.toString('hex');
      if (!texts.has(key)) texts.set(key, this.#records.bytes(at).toString());
    }
  }

  #chunk(id: number) {
    return stored(this.#text.get(id), `Text ${id} of a record`);
  }
}

const attributionOf = ({ environment, environment_version: version }: Pick<SentSpan, 'environment' | 'environment_version'>): string =>
  attributionText(environment === null ? null : { name: environment, version });

/** In the order of fields in which ingest reads a record: it is part of the id of a prompt that has no other. */
const asReceived = (log: RawLog): RawLog => ({
  trace_id: log.trace_id,
  span_id: log.span_id,
  name: log.name,
  time_ns: log.time_ns,
  observed_ns: log.observed_ns,
  severity_number: log.severity_number,
  severity_text: log.severity_text,
  body: log.body,
  attributes: log.attributes,
  dropped: log.dropped,
});

/** The columns of a row: an earlier version, or other prices, may have derived others. */
const storedColumns = (span: SentSpan): Partial<SpanColumns> => ({
  name: span.name,
  start_us: span.start_us,
  start_rest_ns: span.start_rest_ns,
  duration_ns: span.duration_ns,
  clock_suspect: hasFlag(span, 'clockSuspect'),
  status: must(statuses[span.status], 'a status has a code'),
  type: must(types[span.type], 'a type has a code'),
  semantic_kind: must(kinds[span.kind], 'a kind has a code'),
  status_message: span.status_message,
  model: span.model,
  service_name: span.service,
  session_id: span.session,
  user_id: span.user,
  prompt_name: span.prompt,
  trace_name: span.trace_name,
  finish_reason: span.finish_reason,
  input_tokens: span.input_tokens,
  output_tokens: span.output_tokens,
  total_tokens: span.tokens,
  cache_read_tokens: span.cache_read_tokens,
  cache_write_tokens: span.cache_write_tokens,
  reasoning_tokens: span.reasoning_tokens,
  cost: span.cost,
  cost_source: must(costSources[span.cost_source], 'a source of costs has a code'),
  ttft_ms: span.ttft_us === null ? null : span.ttft_us / 1000,
  metadata: span.metadata,
  tags: span.tags === '' ? [] : (JSON.parse(span.tags) as string[]),
  pending: hasFlag(span, 'pending'),
  placeholder: hasFlag(span, 'placeholder'),
  bookkeeping: hasFlag(span, 'bookkeeping'),
  usage_aggregate: hasFlag(span, 'aggregate'),
});

const hasFlag = ({ flags }: SentSpan, name: keyof typeof flag): boolean => (flags & flag[name]) !== 0;

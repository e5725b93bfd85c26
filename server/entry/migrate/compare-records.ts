/** Compares what was sent, byte by byte: spans by trace, and log records by trace or, without a span, by conversation. */
import { hash } from 'node:crypto';
import { partsOf } from '../../telemetry/clickhouse/parameter-lists.ts';
import { ofApp } from '../../telemetry/clickhouse/read/read-context.ts';
import { readStoredId } from '../../telemetry/sqlite/file/id-codec.ts';
import { isMade, type RawLogRecord, type RawRecord, type SentLog, type SentSpan } from './sent-rows.ts';
import { rangeOfTraces, storedKinds, type TraceRange } from './stored-trace-ids.ts';
import { beginning, isMoved, type Position, type SourceApp, type TelemetrySource } from './telemetry-source.ts';
import type { TelemetryTarget } from './telemetry-target.ts';

/** Rows of a trace or a conversation: their number, and the sum of the first 64 bits of the MD5 of each, which has no order. */
interface Digest {
  rows: number;
  sum: bigint;
}

const separator = '\0';
const md5 = (parts: readonly (string | number)[]): bigint => hash('md5', parts.join(separator), 'buffer').readBigUInt64BE(0);
const digestOfRecord = ({ span_id, received_ms, attribution, resource, instrumentation, record, texts }: RawRecord): bigint =>
  md5([span_id, received_ms, attribution, resource, instrumentation, record, texts.join()]);
const digestOfLog = ({ span_id, hash: id, record, texts }: RawLogRecord): bigint => md5([span_id, id, record, texts.join()]);

const joined = (columns: readonly string[]) => `halfMD5(concat(${columns.join(`, '\\0', `)}))`;
const digestSql = {
  record: joined([
    'span_id',
    'toString(received_ms)',
    'attribution',
    'resource',
    'instrumentation',
    'record',
    "arrayStringConcat(texts, ',')",
  ]),
  log: joined(['span_id', 'toString(hash)', 'record', "arrayStringConcat(texts, ',')"]),
};

const tracesAtOnce = 500;

interface SourceTrace {
  id: number;
  trace_id: unknown;
}

export interface ComparedRecords {
  spans: number;
  logs: number;
  /** Traces of which something differs, or which only one side has. */
  different: Set<string>;
  /** Conversations of which a log record without a span differs, or which only one side has. */
  conversations: Set<string>;
}

export class RecordComparison {
  readonly #source: TelemetrySource;
  readonly #target: TelemetryTarget;
  readonly #page;

  constructor(source: TelemetrySource, target: TelemetryTarget) {
    this.#source = source;
    this.#target = target;
    this.#page = source.db.prepare<[number, string, unknown, number], SourceTrace>(
      `SELECT trace.id, trace_id FROM trace JOIN scope ON scope.id = trace.scope
       WHERE trace.scope = ? AND typeof(trace_id) = ? AND trace_id > ? AND ${isMoved} ORDER BY trace_id LIMIT ?`,
    );
  }

  /** Compares all traces of an app. @param onCompared receives the number of spans that were compared since the last call */
  async all(app: SourceApp, onCompared: (spans: number) => void): Promise<ComparedRecords> {
    const result: ComparedRecords = { spans: 0, logs: 0, different: new Set(), conversations: new Set() };
    for (const { kind, first } of storedKinds) {
      let after: string | Buffer = first;
      for (;;) {
        const page: SourceTrace[] = this.#page.all(app.id, kind, after, tracesAtOnce);
        const last = page.length < tracesAtOnce ? null : page.at(-1);
        const spans = result.spans;
        await this.#comparePage(
          app,
          page.map(({ trace_id }) => readStoredId(trace_id)),
          rangeOfTraces(kind, after, last?.trace_id ?? null),
          result,
        );
        onCompared(result.spans - spans);
        if (!last) break;
        after = last.trace_id as string | Buffer;
      }
    }
    await this.#compareConversations(app, this.#conversations(app, beginning), null, result);
    return result;
  }

  /** Compares the traces of an app of which something came since. */
  since(app: SourceApp, position: Position): Promise<ComparedRecords> {
    const touched = this.#source.db
      .prepare<[number, number, number, number, number], SourceTrace>(
        `SELECT trace.id, trace_id FROM trace JOIN scope ON scope.id = trace.scope WHERE trace.scope = ? AND ${isMoved} AND trace.id IN (
           SELECT trace FROM span WHERE id > ? OR block > ? UNION SELECT trace FROM span_log WHERE id > ? OR block > ?)`,
      )
      .all(app.id, position.span, position.block, position.log, position.block);
    return this.of(
      app,
      touched.map(({ trace_id }) => readStoredId(trace_id)),
      this.#conversations(app, position),
    );
  }

  /** Conversations of which log records stand in these traces. */
  conversationsIn(app: SourceApp, traceIds: Iterable<string>): Set<string> {
    const found = new Set<string>();
    for (const id of traceIds)
      for (const { conversation } of this.#source.logsOf(app, id)) if (conversation) found.add(conversation.toString('hex'));
    return found;
  }

  /** Compares some traces and conversations of an app. */
  async of(app: SourceApp, traceIds: readonly string[], conversations: readonly string[]): Promise<ComparedRecords> {
    const result: ComparedRecords = { spans: 0, logs: 0, different: new Set(), conversations: new Set() };
    for (const ids of partsOf(traceIds)) {
      for (let at = 0; at < ids.length; at += tracesAtOnce) {
        const part = ids.slice(at, at + tracesAtOnce);
        await this.#comparePage(app, part, { condition: 'trace_id IN {ids:Array(String)}', params: { ids: part } }, result);
      }
    }
    for (const part of partsOf(conversations)) await this.#compareConversations(app, part, part, result);
    return result;
  }

  /** Of which something came since. */
  #conversations(app: SourceApp, { log, block }: Position): string[] {
    const find = this.#source.db.prepare<[number, number, number], Buffer>(
      'SELECT DISTINCT conversation FROM agent_log JOIN span_log ON id = log WHERE scope = ? AND (log > ? OR block > ?)',
    );
    return find
      .pluck()
      .all(app.id, log, block)
      .map((id) => id.toString('hex'));
  }

  /** @param ids those that are looked for in the cluster; null for all */
  async #compareConversations(app: SourceApp, conversations: string[], ids: string[] | null, result: ComparedRecords): Promise<void> {
    const here = new Map<string, Digest>();
    for (const id of conversations) {
      for (const log of this.#source.logsOfConversation(app, id)) if (log.own_trace === null) this.#addLog(here, id, log);
    }
    const { tenant_id, app_id } = app;
    const rows = await this.#target.rows<{ conversation: string; rows: number; sum: string }>(
      `SELECT conversation, count() AS rows, toString(sum(${digestSql.log})) AS sum FROM log FINAL
       WHERE ${ofApp} AND trace_id = ''${ids ? ' AND conversation IN {ids:Array(String)}' : ''} GROUP BY conversation`,
      { tenant_id, app_id, ...(ids && { ids }) },
    );
    const there = new Map(rows.map(({ conversation, rows, sum }) => [conversation, { rows, sum: BigInt(sum) }]));
    for (const id of differences(here, there)) result.conversations.add(id);
    result.logs += rowsOf(here);
  }

  async #comparePage(app: SourceApp, ids: readonly string[], range: TraceRange, result: ComparedRecords): Promise<void> {
    const [records, logs] = [new Map<string, Digest>(), new Map<string, Digest>()];
    for (const id of ids) {
      for (const span of this.#source.spansOf(app, id)) this.#addSpan(records, id, span);
      for (const log of this.#source.logsOf(app, id)) if (wasSentWithSpan(log)) this.#addLog(logs, id, log);
    }
    const [storedRecords, storedLogs] = await Promise.all([this.#stored(app, 'record', range), this.#stored(app, 'log', range)]);
    for (const id of [...differences(records, storedRecords), ...differences(logs, storedLogs)]) result.different.add(id);
    result.spans += rowsOf(records);
    result.logs += rowsOf(logs);
  }

  #addSpan(digests: Map<string, Digest>, key: string, span: SentSpan): void {
    const digest = this.#source.leftOut.read(span, () => (isMade(span) ? null : digestOfRecord(this.#source.rows.rawRecord(span))));
    if (digest !== null) add(digests, key, digest);
  }

  #addLog(digests: Map<string, Digest>, key: string, log: SentLog): void {
    const digest = this.#source.leftOut.read(log, () => digestOfLog(this.#source.rows.rawLog(log)));
    if (digest !== null) add(digests, key, digest);
  }

  async #stored(app: SourceApp, table: 'record' | 'log', { condition, params }: TraceRange): Promise<Map<string, Digest>> {
    const { tenant_id, app_id } = app;
    const rows = await this.#target.rows<{ trace_id: string; rows: number; sum: string }>(
      `SELECT trace_id, count() AS rows, toString(sum(${digestSql[table]})) AS sum FROM ${table} FINAL
       WHERE ${ofApp} AND trace_id != '' AND ${condition} GROUP BY trace_id`,
      { tenant_id, app_id, ...params },
    );
    return new Map(rows.map(({ trace_id, rows, sum }) => [trace_id, { rows, sum: BigInt(sum) }]));
  }
}

const wasSentWithSpan = ({ conversation, own_trace }: SentLog): boolean => conversation === null || own_trace !== null;

const mask = 2n ** 64n - 1n;

function add(digests: Map<string, Digest>, key: string, digest: bigint): void {
  const { rows, sum } = digests.get(key) ?? { rows: 0, sum: 0n };
  digests.set(key, { rows: rows + 1, sum: (sum + digest) & mask });
}

const rowsOf = (digests: Map<string, Digest>): number => digests.values().reduce((sum, { rows }) => sum + rows, 0);

/** Keys whose rows differ. */
function differences(here: Map<string, Digest>, there: Map<string, Digest>): string[] {
  const isSame = (key: string) => here.get(key)?.rows === there.get(key)?.rows && here.get(key)?.sum === there.get(key)?.sum;
  return [...new Set([...here.keys(), ...there.keys()])].filter((key) => !isSame(key));
}

/** Removes traces from all tables, with their scores and the texts that only they use. Call it while nothing writes. */
import type { ClickHouseClient } from '@clickhouse/client';
import type { PriceOverrides } from '../../../ingest/cost/own-prices.ts';
import type { Scope } from '../../../platform/scope.ts';
import { storeId } from '../../sqlite/file/id-codec.ts';
import { resourceKey } from '../../sqlite/file/resource-key.ts';
import { StorageError } from '../../storage-error.ts';
import { LoadedTraces } from '../loaded/loaded-traces.ts';
import { scoredKey } from '../loaded/score-keys.ts';
import { partsOf } from '../parameter-lists.ts';
import { ofApp } from '../read/read-context.ts';
import type { LogRow } from '../stored-rows.ts';
import type { StoredTraceReader } from '../stored-traces.ts';
import type { BlobRemoval } from './blob-removal.ts';
import type { FencedDeletes } from './fenced-deletes.ts';
import type { Inserts } from './inserts.ts';
import type { RunawayGuard } from './runaway-guard.ts';

/** Tables with rows of traces. */
const ofTraces = ['span', 'record', 'log', 'trace', 'place', 'runaway'] as const;

const isOfTraces = 'trace_id IN {ids:Array(String)}';
const isOfOthers = 'trace_id NOT IN {removed:Array(String)}';

const textsIn = (table: string) => `SELECT arrayJoin(texts) AS hash FROM ${table} WHERE ${ofApp} AND ${isOfTraces}`;
const textsOfTraces = `${textsIn('record')} UNION ALL ${textsIn('log')}`;

/** Key of the scores of a trace or a span. */
const keyOf = (id: string): string => scoredKey(resourceKey(id));

interface Parts {
  client: ClickHouseClient;
  deletes: FencedDeletes;
  stored: StoredTraceReader;
  inserts: Inserts;
  blobs: Pick<BlobRemoval, 'note'>;
  runaways: Pick<RunawayGuard, 'forget'>;
  prices: PriceOverrides;
}

export class TraceRemoval {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Nothing reads the traces when it resolves. It may be repeated after a failure.
   * @param ids one of `partsOf`, and at most `tracesAtOnce`
   * @returns the bytes that it gives back
   */
  async remove(scope: Scope, ids: readonly string[]): Promise<number> {
    await this.#parts.runaways.forget(scope, new Set(ids));
    const conversing = await this.#conversing(scope, ids);
    const [spanIds, logs, texts, before] = await Promise.all([
      this.#spansOf(scope, ids),
      this.#logsOf(scope, ids, conversing),
      this.#textsOf(scope, ids),
      this.#countsOf(scope, ids),
    ]);
    const logHashes = logs.map(({ hash }) => hash);
    const [scored, unused] = await Promise.all([this.#scored(scope, ids, spanIds), this.#unused(scope, ids, texts, logs)]);
    const bytes = await this.#bytesOf(scope, ids, logHashes, unused);
    const drop = (...tables: (typeof ofTraces)[number][]) =>
      tables.filter((table) => (before.get(table) ?? 0) > 0).map((table) => this.#delete(table, scope, isOfTraces, ids));
    // In an order in which a repetition finds what is left: records and log records name texts, and places lead to log records. Without a place nothing is read.
    const [first, last] = conversing.length > 0 ? [[], ['place' as const]] : [['place' as const], []];
    await Promise.all([...drop('span', 'trace', 'runaway', ...first), this.#deleteAll('score', scope, 'resource', scored)]);
    await this.#parts.blobs.note(scope, unused);
    await this.#deleteTexts(scope, unused);
    await Promise.all([...drop('record', 'log', ...last), this.#deleteAll('log', scope, 'hash', logHashes)]);
    const left = [...(await this.#countsOf(scope, ids)).values()].reduce((sum, count) => sum + count, 0);
    // Whoever removed them gives their bytes back.
    await this.#parts.deletes.check();
    if (left > 0) throw new StorageError('io', `${left} rows of deleted traces are left`);
    return bytes;
  }

  /** As usage counts them: of spans and log records as sent, and of each long text once. */
  async #bytesOf(scope: Scope, ids: readonly string[], logs: readonly string[], texts: readonly string[]): Promise<number> {
    const sum = async (table: string, size: string, condition: string, values: readonly string[]) => {
      let bytes = 0;
      for (const part of partsOf(values)) {
        const query = `SELECT sum(${size}) AS bytes FROM ${table} FINAL WHERE ${ofApp} AND ${condition} IN {ids:Array(String)}`;
        const [row] = await this.#read<{ bytes: string | number }>(scope, query, part);
        bytes += Number(row?.bytes ?? 0);
      }
      return bytes;
    };
    const sums = await Promise.all([
      sum('record', 'length(record)', 'trace_id', ids),
      sum('log', 'length(record)', 'trace_id', ids),
      sum('log', 'length(record)', 'hash', logs),
      sum('text', 'length(text) + blob_bytes', 'hash', texts),
    ]);
    return sums.reduce((all, bytes) => all + bytes, 0);
  }

  /** Number of rows in each table. */
  async #countsOf(scope: Scope, ids: readonly string[]): Promise<Map<string, number>> {
    const counts = ofTraces.map((table) => `SELECT '${table}' AS name, count() AS rows FROM ${table} WHERE ${ofApp} AND ${isOfTraces}`);
    const rows = await this.#read<{ name: string; rows: number }>(scope, counts.join(' UNION ALL '), ids);
    return new Map(rows.map(({ name, rows }) => [name, rows]));
  }

  async #spansOf(scope: Scope, ids: readonly string[]): Promise<string[]> {
    const select = (table: string) => `SELECT span_id FROM ${table} WHERE ${ofApp} AND ${isOfTraces}`;
    const rows = await this.#read<{ span_id: string }>(
      scope,
      `SELECT DISTINCT span_id FROM (${select('span')} UNION ALL ${select('record')})`,
      ids,
    );
    return rows.map(({ span_id }) => span_id);
  }

  async #textsOf(scope: Scope, ids: readonly string[]): Promise<string[]> {
    const rows = await this.#read<{ hash: string }>(scope, `SELECT DISTINCT hash FROM (${textsOfTraces})`, ids);
    return rows.map(({ hash }) => hash);
  }

  /** Those whose conversations have log records, which may belong to them without naming them. */
  async #conversing(scope: Scope, ids: readonly string[]): Promise<string[]> {
    const query = `SELECT trace_id FROM place FINAL WHERE ${ofApp} AND ${isOfTraces} AND notEmpty(conversations)`;
    return (await this.#read<{ trace_id: string }>(scope, query, ids)).map(({ trace_id }) => trace_id);
  }

  /** Log records that name no trace and belong to one of these. A copy tells which do. */
  async #logsOf(scope: Scope, ids: readonly string[], conversing: readonly string[]): Promise<LogRow[]> {
    if (conversing.length === 0) return [];
    const { stored, prices } = this.#parts;
    const copy = new LoadedTraces(prices);
    try {
      const found = await stored.readForWrite(scope, conversing, []);
      copy.load(scope, found);
      const belongs = copy.db
        .prepare<[string | Buffer], string>(
          'SELECT lower(hex(span_log.hash)) FROM span_log JOIN trace ON trace.id = span_log.trace WHERE trace.trace_id = ?',
        )
        .pluck();
      const own = new Set(conversing.flatMap((id) => belongs.all(storeId(id))));
      return found.logs.filter(({ hash, trace_id }) => own.has(hash) && !ids.includes(trace_id));
    } finally {
      copy.close();
    }
  }

  /** Resources whose scores go. A score stays while another trace has a span of its id. */
  async #scored(scope: Scope, ids: readonly string[], spanIds: readonly string[]): Promise<string[]> {
    const all = [...new Set([...ids, ...spanIds])];
    const scored = await this.#select(
      scope,
      `SELECT DISTINCT resource AS value FROM score FINAL WHERE ${ofApp}`,
      'resource',
      all.map(keyOf),
    );
    if (scored.length === 0) return [];
    const isScored = new Set(scored);
    const spans = await this.#select(
      scope,
      `SELECT DISTINCT span_id AS value FROM span FINAL WHERE ${ofApp} AND ${isOfOthers}`,
      'span_id',
      all.filter((id) => isScored.has(keyOf(id))),
      { removed: ids },
    );
    const shared = new Set(spans.map(keyOf));
    return scored.filter((key) => !shared.has(key));
  }

  /** Texts that nothing else uses. @param texts those of the traces @param logs hashes of other log records that are removed */
  async #unused(scope: Scope, ids: readonly string[], texts: readonly string[], logs: readonly LogRow[]): Promise<string[]> {
    const ofLogs = logs.flatMap((log) => log.texts);
    const hashes = [...new Set([...texts, ...ofLogs])];
    const removed = { removed: ids };
    const ofRecords = `SELECT DISTINCT arrayJoin(texts) AS value FROM record WHERE ${ofApp} AND ${isOfOthers}`;
    const used = new Set(await this.#select(scope, ofRecords, 'value', ofLogs, removed));
    // One query, whatever their number: it reads the hashes of all records of the app.
    const shared =
      texts.length === 0 ? [] : await this.#read<{ value: string }>(scope, `${ofRecords} AND value IN (${textsOfTraces})`, ids, removed);
    for (const { value } of shared) used.add(value);
    const own = new Set(logs.map(({ hash }) => hash));
    const query = `SELECT DISTINCT hash AS log, arrayJoin(texts) AS value FROM log FINAL WHERE ${ofApp} AND ${isOfOthers}`;
    for (const part of partsOf(hashes)) {
      const rows = await this.#read<{ log: string; value: string }>(scope, `${query} AND value IN {ids:Array(String)}`, part, removed);
      for (const { log, value } of rows) if (!own.has(log)) used.add(value);
    }
    return hashes.filter((hash) => !used.has(hash));
  }

  /** Values of a column that are among these. */
  async #select(scope: Scope, select: string, column: string, values: readonly string[], more: object = {}): Promise<string[]> {
    const found: string[] = [];
    for (const part of partsOf([...new Set(values)])) {
      const rows = await this.#read<{ value: string }>(scope, `${select} AND ${column} IN {ids:Array(String)}`, part, more);
      found.push(...rows.map(({ value }) => value));
    }
    return found;
  }

  /** Commits must not believe that they are stored, also after a failure, which may have deleted some. */
  async #deleteTexts(scope: Scope, hashes: readonly string[]): Promise<void> {
    this.#parts.inserts.forget();
    try {
      await this.#deleteAll('text', scope, 'hash', hashes);
    } finally {
      this.#parts.inserts.forget();
    }
  }

  async #deleteAll(table: string, scope: Scope, column: string, values: readonly string[]): Promise<void> {
    for (const part of partsOf(values)) await this.#delete(table, scope, `${column} IN {ids:Array(String)}`, part);
  }

  #delete(table: string, { tenant_id, app_id }: Scope, condition: string, ids: readonly string[]): Promise<void> {
    return this.#parts.deletes.delete(table, `${ofApp} AND ${condition}`, { tenant_id, app_id, ids });
  }

  async #read<Row>({ tenant_id, app_id }: Scope, query: string, ids: readonly string[], more: object = {}): Promise<Row[]> {
    const result = await this.#parts.client.query({ query, query_params: { tenant_id, app_id, ids, ...more }, format: 'JSONEachRow' });
    return result.json<Row>();
  }
}

/** So many are removed in one step. */
export const tracesAtOnce = 2000;

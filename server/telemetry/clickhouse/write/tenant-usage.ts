/**
 * Usage of tenants: read once by the writer that owns them, and checked in its copy while it writes. The totals are rows of `place`, stored by the insert
 * that ends a commit: then all of it is counted, or nothing. A final record of an interrupted commit that replaced a pending one stays, with its texts
 * (interrupted-commits.ts). Its number is above that of the totals, and it is counted before anything is written again.
 */
import type { ClickHouseClient } from '@clickhouse/client';
import { monthOf } from '../../../ingest/allowance.ts';
import type { OpenDatabase } from '../../sqlite/file/open.ts';
import type { WriteRequest } from '../../sqlite/write/writer.ts';
import { StorageError } from '../../storage-error.ts';
import type { Inserts } from './inserts.ts';
import { type UsageRow, usageId, usageMonths, usageRow } from './usage-rows.ts';
import type { Commits } from './versions.ts';

/** Of a tenant in a month. */
interface Used {
  spans: number;
  bytes: number;
}

/** What a copy had before a write: spans of the month, and bytes since the beginning. */
interface Before extends Used {
  tenant_id: string;
  month: number;
}

type Known = Map<number, Used>;

const totals = `SELECT trace_id, spans, bytes, toString(arrival) AS arrival, toString(ver) AS ver FROM place FINAL WHERE ${usageMonths}`;

const uncounted = `
SELECT sum(bytes) AS bytes FROM (
  SELECT sum(length(record)) AS bytes FROM record
  WHERE tenant_id = {tenant_id:String} AND commit > {ver:UInt64} AND arrival <= {arrival:UInt64}
  UNION ALL SELECT sum(size) AS bytes FROM (
    -- It may have been inserted twice.
    SELECT any(length(text) + blob_bytes) AS size FROM text WHERE tenant_id = {tenant_id:String} AND ver > {ver:UInt64} GROUP BY app_id, hash))`;

export class TenantUsage {
  readonly #client: ClickHouseClient;
  /** By month, of each tenant. */
  readonly #known = new Map<string, Known>();
  readonly #inserts: Inserts;
  readonly #commits: Commits;
  /** Something may have failed whose inserts have not ended. */
  #hasFailed = false;

  constructor({ client, inserts, commits }: { client: ClickHouseClient; inserts: Inserts; commits: Commits }) {
    this.#client = client;
    this.#inserts = inserts;
    this.#commits = commits;
  }

  /** Puts the usage of the tenants of these requests into the copy. @returns what was put */
  async put(db: OpenDatabase, requests: readonly WriteRequest[]): Promise<Before[]> {
    const put = new Map<string, Before>();
    for (const request of requests) {
      if (!('batch' in request) || !request.allowance) continue;
      const { tenant_id } = request.scope;
      const month = monthOf(request.batch.received_ms);
      if (put.has(`${tenant_id} ${month}`)) continue;
      const known = await this.#of(tenant_id);
      put.set(`${tenant_id} ${month}`, { tenant_id, month, spans: known.get(month)?.spans ?? 0, bytes: bytesOf(known) });
    }
    for (const { tenant_id, month, spans, bytes } of put.values()) {
      db.prepare('INSERT OR REPLACE INTO usage (tenant_id, month, spans) VALUES (?, ?, ?)').run(tenant_id, month, spans);
      db.prepare('INSERT OR REPLACE INTO holding (tenant_id, bytes) VALUES (?, ?)').run(tenant_id, bytes);
    }
    return [...put.values()];
  }

  /** The totals after a write to the copy, of what it added to. */
  added(db: OpenDatabase, before: readonly Before[]): UsageRow[] {
    const spansOf = db.prepare<[string, number], number>('SELECT spans FROM usage WHERE tenant_id = ? AND month = ?').pluck();
    const heldBy = db.prepare<[string], number>('SELECT bytes FROM holding WHERE tenant_id = ?').pluck();
    const counted = new Set<string>();
    return before.flatMap(({ tenant_id, month, spans, bytes }) => {
      const addedBytes = counted.has(tenant_id) ? 0 : (heldBy.get(tenant_id) ?? 0) - bytes;
      counted.add(tenant_id);
      const addedSpans = (spansOf.get(tenant_id, month) ?? 0) - spans;
      if (addedSpans + addedBytes <= 0) return [];
      const used = this.#known.get(tenant_id)?.get(month) ?? { spans: 0, bytes: 0 };
      return [this.#row(tenant_id, month, { spans: used.spans + addedSpans, bytes: used.bytes + addedBytes })];
    });
  }

  /** Notes totals that are durable. */
  keep(rows: readonly UsageRow[]): void {
    for (const { tenant_id, trace_id, spans, bytes } of rows) this.#known.get(tenant_id)?.set(usageId.month(trace_id), { spans, bytes });
  }

  /** After a failure, what is stored is read again. */
  forget(): void {
    this.#known.clear();
    this.#hasFailed = true;
  }

  /** Resolves once no insert that failed is still running. @throws StorageError while one is */
  async settle(): Promise<void> {
    if (!this.#hasFailed) return;
    if (await this.#inserts.areRunning()) throw new StorageError('busy', 'An insert that failed has not ended yet');
    this.#hasFailed = false;
  }

  /** Gives bytes back that were removed. Those of batches without an allowance were never counted, so that it may be less. */
  async release(tenant_id: string, bytes: number): Promise<void> {
    const known = await this.#of(tenant_id);
    const counted = Math.min(bytes, bytesOf(known));
    if (counted <= 0) return;
    const month = monthOf(Date.now());
    const used = known.get(month) ?? { spans: 0, bytes: 0 };
    await this.#put([this.#row(tenant_id, month, { spans: used.spans, bytes: used.bytes - counted })]);
  }

  async #put(rows: UsageRow[]): Promise<void> {
    const ver = String(this.#commits.next());
    try {
      await this.#inserts.insert(
        'place',
        rows.map((row) => ({ ...row, ver })),
      );
      this.keep(rows);
    } catch (error) {
      this.forget();
      throw error;
    }
  }

  #row(tenant_id: string, month: number, used: Used): UsageRow {
    return usageRow(tenant_id, month, used, this.#commits.lastArrival);
  }

  async #of(tenant_id: string): Promise<Known> {
    const existing = this.#known.get(tenant_id);
    if (existing) return existing;
    await this.settle();
    const rows = await this.#rows<Used & { trace_id: string; arrival: string; ver: string }>(totals, { tenant_id });
    const known: Known = new Map(
      rows.map(({ trace_id, spans, bytes }) => [usageId.month(trace_id), { spans: Number(spans), bytes: Number(bytes) }]),
    );
    const highest = (of: 'arrival' | 'ver') => rows.reduce((max, row) => (BigInt(row[of]) > max ? BigInt(row[of]) : max), 0n);
    const marks = { arrival: String(highest('arrival')), ver: String(highest('ver')) };
    const [found] = await this.#rows<{ bytes: number }>(uncounted, { tenant_id, ...marks });
    this.#known.set(tenant_id, known);
    const month = monthOf(Date.now());
    const { spans, bytes } = known.get(month) ?? { spans: 0, bytes: 0 };
    const added = Number(found?.bytes ?? 0);
    if (added > 0) await this.#put([this.#row(tenant_id, month, { spans, bytes: bytes + added })]);
    return known;
  }

  async #rows<Row>(query: string, query_params: Record<string, unknown>): Promise<Row[]> {
    const result = await this.#client.query({ query, query_params, format: 'JSONEachRow' });
    return result.json<Row>();
  }
}

const bytesOf = (known: Known): number => known.values().reduce((sum, { bytes }) => sum + bytes, 0);

/** Usage of tenants: read once by the writer that owns them, and checked in its copy while it writes. */
import type { ClickHouseClient } from '@clickhouse/client';
import { monthOf } from '../../../ingest/allowance.ts';
import type { OpenDatabase } from '../../sqlite/file/open.ts';
import type { WriteRequest } from '../../sqlite/write/writer.ts';
import type { UsageAddition } from './inserts.ts';

interface Counted {
  tenant_id: string;
  month: number;
  spans: number;
  bytes: number;
}

export class TenantUsage {
  readonly #client: ClickHouseClient;
  /** Spans by month of each tenant, and its bytes since the beginning. */
  readonly #known = new Map<string, { spans: Map<number, number>; bytes: number }>();

  constructor(client: ClickHouseClient) {
    this.#client = client;
  }

  /** Puts the usage of the tenants of these requests into the copy. @returns what was put */
  async put(db: OpenDatabase, requests: readonly WriteRequest[]): Promise<Counted[]> {
    const put: Counted[] = [];
    const seen = new Set<string>();
    for (const request of requests) {
      if (!('batch' in request) || !request.allowance) continue;
      const { tenant_id } = request.scope;
      const month = monthOf(request.batch.received_ms);
      if (seen.has(`${tenant_id} ${month}`)) continue;
      seen.add(`${tenant_id} ${month}`);
      const known = await this.#of(tenant_id);
      put.push({ tenant_id, month, spans: known.spans.get(month) ?? 0, bytes: known.bytes });
    }
    for (const { tenant_id, month, spans, bytes } of put) {
      db.prepare('INSERT OR REPLACE INTO usage (tenant_id, month, spans) VALUES (?, ?, ?)').run(tenant_id, month, spans);
      db.prepare('INSERT OR REPLACE INTO holding (tenant_id, bytes) VALUES (?, ?)').run(tenant_id, bytes);
    }
    return put;
  }

  /** What a write to the copy added. */
  added(db: OpenDatabase, before: readonly Counted[]): UsageAddition[] {
    const spansOf = db.prepare<[string, number], number>('SELECT spans FROM usage WHERE tenant_id = ? AND month = ?').pluck();
    const bytesOf = db.prepare<[string], number>('SELECT bytes FROM holding WHERE tenant_id = ?').pluck();
    const counted = new Set<string>();
    return before.flatMap(({ tenant_id, month, spans, bytes }) => {
      const addedBytes = counted.has(tenant_id) ? 0 : (bytesOf.get(tenant_id) ?? 0) - bytes;
      counted.add(tenant_id);
      const addedSpans = (spansOf.get(tenant_id, month) ?? 0) - spans;
      return addedSpans + addedBytes > 0 ? [{ tenant_id, month, spans: addedSpans, bytes: addedBytes }] : [];
    });
  }

  /** Notes additions that are durable. */
  keep(additions: readonly UsageAddition[]): void {
    for (const { tenant_id, month, spans, bytes } of additions) {
      const known = this.#known.get(tenant_id);
      if (!known) continue;
      known.spans.set(month, (known.spans.get(month) ?? 0) + spans);
      known.bytes += bytes;
    }
  }

  /** After a failure, what is stored is read again. */
  forget(): void {
    this.#known.clear();
  }

  async #of(tenant_id: string) {
    const existing = this.#known.get(tenant_id);
    if (existing) return existing;
    const result = await this.#client.query({
      query: 'SELECT month, sum(spans) AS spans, sum(bytes) AS bytes FROM usage FINAL WHERE tenant_id = {tenant_id:String} GROUP BY month',
      query_params: { tenant_id },
      format: 'JSONEachRow',
    });
    const months = await result.json<{ month: number; spans: string; bytes: string }>();
    const known = {
      spans: new Map(months.map(({ month, spans }) => [month, Number(spans)])),
      bytes: months.reduce((sum, { bytes }) => sum + Number(bytes), 0),
    };
    this.#known.set(tenant_id, known);
    return known;
  }
}

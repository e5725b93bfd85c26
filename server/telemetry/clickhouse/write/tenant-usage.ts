/**
 * Usage of tenants: read once by the writer that owns them, and checked in its copy while it writes. It is stored after the spans that it counts. When a
 * commit failed, whether its spans are stored decides whether they are counted as well, before anything is written again: then they are duplicates.
 */
import type { ClickHouseClient } from '@clickhouse/client';
import { monthOf } from '../../../ingest/allowance.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { OpenDatabase } from '../../sqlite/file/open.ts';
import type { WriteRequest } from '../../sqlite/write/writer.ts';
import type { AppChanges } from '../loaded/sent-items.ts';
import { ofApp } from '../read/read-context.ts';
import type { Inserts, UsageAddition } from './inserts.ts';
import { type Commits, recordVersion } from './versions.ts';

type Counted = Omit<UsageAddition, 'commit'>;

/** A row that is stored if all rows of its table in the commit are: they are one insert. */
interface SampleRow extends Scope {
  table: 'record' | 'log' | 'text';
  /** Id of the trace, or hash of the text. */
  key: string;
  ver: string;
}

/** Texts are stored first, and are not counted again when the commit is repeated. */
interface Uncertain {
  addition: UsageAddition;
  sample: SampleRow | null;
  text: { sample: SampleRow; bytes: number } | null;
}

export class TenantUsage {
  readonly #client: ClickHouseClient;
  /** Spans by month of each tenant, and its bytes since the beginning. */
  readonly #known = new Map<string, { spans: Map<number, number>; bytes: number }>();

  readonly #inserts: Inserts;
  readonly #commits: Commits;
  #uncertain: Uncertain[] = [];

  constructor({ client, inserts, commits }: { client: ClickHouseClient; inserts: Inserts; commits: Commits }) {
    this.#client = client;
    this.#inserts = inserts;
    this.#commits = commits;
  }

  /** Puts the usage of the tenants of these requests into the copy. @returns what was put */
  async put(db: OpenDatabase, requests: readonly WriteRequest[]): Promise<Counted[]> {
    await this.#settle();
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
  added(db: OpenDatabase, before: readonly Counted[], commit: bigint): UsageAddition[] {
    const spansOf = db.prepare<[string, number], number>('SELECT spans FROM usage WHERE tenant_id = ? AND month = ?').pluck();
    const bytesOf = db.prepare<[string], number>('SELECT bytes FROM holding WHERE tenant_id = ?').pluck();
    const counted = new Set<string>();
    return before.flatMap(({ tenant_id, month, spans, bytes }) => {
      const addedBytes = counted.has(tenant_id) ? 0 : (bytesOf.get(tenant_id) ?? 0) - bytes;
      counted.add(tenant_id);
      const addedSpans = (spansOf.get(tenant_id, month) ?? 0) - spans;
      return addedSpans + addedBytes > 0 ? [{ tenant_id, month, commit: String(commit), spans: addedSpans, bytes: addedBytes }] : [];
    });
  }

  /** Call it before a commit. */
  begin(additions: readonly UsageAddition[], changes: readonly AppChanges[]): void {
    this.#uncertain = additions.map((addition) => {
      const own = changes.filter(({ scope }) => scope.tenant_id === addition.tenant_id);
      return { addition, sample: spanSample(addition, own), text: this.#textSample(addition, own) };
    });
  }

  #textSample({ commit, bytes }: UsageAddition, changes: readonly AppChanges[]): Uncertain['text'] {
    const texts = changes.flatMap((of) => this.#inserts.newTexts(of).map((text) => ({ scope: of.scope, ...text })));
    const [first] = texts;
    if (!first) return null;
    const size = texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    return { sample: { ...first.scope, table: 'text', key: first.hash, ver: commit }, bytes: Math.min(size, bytes) };
  }

  /** Notes additions that are durable. */
  keep(additions: readonly UsageAddition[]): void {
    this.#uncertain = [];
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

  /** Gives bytes back that were removed. Those of batches without an allowance were never counted, so that it may be less. */
  async release(tenant_id: string, bytes: number): Promise<void> {
    await this.#settle();
    const counted = Math.min(bytes, (await this.#of(tenant_id)).bytes);
    if (counted <= 0) return;
    const addition = { tenant_id, month: monthOf(Date.now()), commit: String(this.#commits.next()), spans: 0, bytes: -counted };
    try {
      await this.#inserts.insert('usage', [addition]);
      this.keep([addition]);
    } catch (error) {
      this.forget();
      throw error;
    }
  }

  /** Counts what commits that failed have stored. */
  async #settle(): Promise<void> {
    for (const { addition, sample, text } of this.#uncertain) {
      if (sample && (await this.#isStored(sample))) await this.#inserts.insert('usage', [addition]);
      else if (text && (await this.#isStored(text.sample)))
        await this.#inserts.insert('usage', [{ ...addition, spans: 0, bytes: text.bytes }]);
    }
    this.#uncertain = [];
  }

  async #isStored({ table, ...row }: SampleRow): Promise<boolean> {
    const column = table === 'text' ? 'hash' : 'trace_id';
    const query = `SELECT count() AS rows FROM ${table} WHERE ${ofApp} AND ${column} = {key:String} AND ver = {ver:UInt64}`;
    const result = await this.#client.query({ query, query_params: { ...row }, format: 'JSONEachRow' });
    return Number((await result.json<{ rows: number }>())[0]?.rows) > 0;
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

function spanSample({ commit }: UsageAddition, changes: readonly AppChanges[]): SampleRow | null {
  const records = changes.flatMap(({ scope, records }) => records.map((record) => ({ scope, ...record })));
  // The newest: others may have been stored before.
  const newest = records.reduce<(typeof records)[number] | null>((last, next) => (last && last.arrival > next.arrival ? last : next), null);
  if (newest) return { ...newest.scope, table: 'record', key: newest.trace_id, ver: recordVersion(newest.arrival, newest.isPending) };
  const [log] = changes.flatMap(({ scope, logs }) => logs.map(({ trace_id }) => ({ scope, trace_id })));
  return log ? { ...log.scope, table: 'log', key: log.trace_id, ver: commit } : null;
}

/** Erases deleted apps: what is marked is finished after a restart. */
import type { ClickHouseClient } from '@clickhouse/client';
import type { Scope } from '../../../platform/scope.ts';
import type { TextBlobs } from '../blobs/text-blobs.ts';
import { ofApp, type ReadContext } from '../read/read-context.ts';
import { appKey } from './app-key.ts';
import { appTables } from './app-tables.ts';
import { BackgroundWork } from './background-work.ts';
import type { ByteErasure } from './byte-erasure.ts';
import type { FencedDeletes } from './fenced-deletes.ts';
import type { GroupWriter } from './group-writer.ts';
import type { Inserts } from './inserts.ts';
import type { RunawayGuard } from './runaway-guard.ts';
import type { TenantUsage } from './tenant-usage.ts';
import type { Commits } from './versions.ts';

interface Parts {
  client: ClickHouseClient;
  deletes: FencedDeletes;
  context: ReadContext;
  inserts: Inserts;
  commits: Commits;
  writer: GroupWriter;
  bytes: ByteErasure;
  blobs: TextBlobs;
  usage: TenantUsage;
  runaways: Pick<RunawayGuard, 'forget'>;
  owns(tenantId: string): boolean;
  onFailure(event: string, key: string, error: unknown): void;
}

interface ErasedApp extends Scope {
  erased_ms: number;
  /** Whether nothing of it is left. */
  is_done: 0 | 1;
}

export class AppErasure {
  readonly #parts: Parts;
  /** Those of which something may be left, by app. */
  readonly #open = new Map<string, ErasedApp>();
  /** Blobs that were removed last, of those whose rows are deleted. */
  readonly #removed = new Map<string, readonly string[]>();
  readonly #work: BackgroundWork;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#work = new BackgroundWork({
      step: (key) => this.#step(key),
      onFailure: (key, error) => parts.onFailure('app_not_erased', key, error),
    });
  }

  /** Continues what was marked. */
  async resume(): Promise<void> {
    const { context, owns } = this.#parts;
    await context.erased.refresh();
    const open = await context.rows<ErasedApp>('SELECT tenant_id, app_id, erased_ms, is_done FROM erased_app FINAL WHERE is_done = 0');
    for (const app of open) if (owns(app.tenant_id)) this.#finish(app);
  }

  has(scope: Scope): boolean {
    return this.#parts.context.erased.has(scope);
  }

  /** Resolves when the mark is durable. From then on no read finds anything of the app. */
  async begin({ tenant_id, app_id }: Scope): Promise<void> {
    const app: ErasedApp = { tenant_id, app_id, erased_ms: Date.now(), is_done: 0 };
    await this.#put(app);
    this.#parts.context.erased.add(app);
    this.#finish(app);
  }

  #finish(app: ErasedApp): void {
    const key = appKey(app);
    this.#open.set(key, app);
    this.#work.start(key);
  }

  stop(): Promise<void> {
    return this.#work.stop();
  }

  async #step(key: string): Promise<boolean> {
    const app = this.#open.get(key);
    if (!app) return false;
    const { bytes, blobs } = this.#parts;
    const before = this.#removed.get(key);
    if (!before) await this.#deleteRows(app);
    // There may be many: a stop need not wait for all.
    const removed = await blobs.removeOfApp(app, before ?? []);
    if (removed.length > 0) {
      this.#removed.set(key, removed);
      return true;
    }
    this.#removed.delete(key);
    await bytes.erase();
    if ((await this.#isLeft(app)) || (await bytes.areLeft(app))) throw new Error('Rows of an erased app are left');
    await this.#put({ ...app, is_done: 1 });
    this.#open.delete(key);
    return false;
  }

  async #deleteRows(app: ErasedApp): Promise<void> {
    const { writer, inserts, deletes, usage, runaways, blobs } = this.#parts;
    // After the group that is being written; later ones leave the app out.
    const { tenant_id, app_id } = app;
    await writer.alone(async () => {
      inserts.forget();
      await writer.undoInterrupted(tenant_id);
    });
    await runaways.forget(app, null);
    if (await this.#hasBlobs(app)) blobs.require();
    const held = await this.#bytesOf(app);
    for (const table of appTables) await deletes.delete(table, ofApp, { tenant_id, app_id });
    await deletes.check();
    await writer.alone(() => usage.release(tenant_id, held));
  }

  /** Rows that name blobs, which nothing would find after them. */
  async #hasBlobs({ tenant_id, app_id }: Scope): Promise<boolean> {
    const named = `SELECT 1 FROM text WHERE ${ofApp} AND blob != '' LIMIT 1`;
    const noted = `SELECT 1 FROM blob_removal FINAL WHERE ${ofApp} LIMIT 1`;
    const result = await this.#parts.client.query({
      query: `SELECT count() AS rows FROM (${named} UNION ALL ${noted})`,
      query_params: { tenant_id, app_id },
      format: 'JSONEachRow',
    });
    return Number((await result.json<{ rows: string | number }>())[0]?.rows ?? 0) > 0;
  }

  /** As usage counts them: of spans and log records as sent, and of each long text once. */
  async #bytesOf({ tenant_id, app_id }: Scope): Promise<number> {
    const sums = [
      ['record', 'length(record)'],
      ['log', 'length(record)'],
      ['text', 'length(text) + blob_bytes'],
    ].map(([table, size]) => `SELECT sum(${size}) AS bytes FROM ${table} FINAL WHERE ${ofApp}`);
    const result = await this.#parts.client.query({
      query: `SELECT sum(bytes) AS bytes FROM (${sums.join(' UNION ALL ')})`,
      query_params: { tenant_id, app_id },
      format: 'JSONEachRow',
    });
    return Number((await result.json<{ bytes: string | number }>())[0]?.bytes ?? 0);
  }

  async #isLeft({ tenant_id, app_id }: Scope): Promise<boolean> {
    const counts = appTables.map((table) => `SELECT count() AS rows FROM ${table} WHERE ${ofApp}`);
    const result = await this.#parts.client.query({
      query: `SELECT sum(rows) AS rows FROM (${counts.join(' UNION ALL ')})`,
      query_params: { tenant_id, app_id },
      format: 'JSONEachRow',
    });
    return ((await result.json<{ rows: number }>())[0]?.rows ?? 0) > 0;
  }

  async #put(app: ErasedApp): Promise<void> {
    await this.#parts.inserts.insert('erased_app', [{ ...app, ver: String(this.#parts.commits.next()) }]);
  }
}

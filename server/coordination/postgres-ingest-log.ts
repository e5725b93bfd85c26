/**
 * The ingest log of all gateways, in PostgreSQL. Entries are written a moment after their requests, which do not wait; while the database cannot be
 * used, each gateway has its own.
 */
import type { Pool } from 'pg';
import { z } from 'zod';
import { type IngestLogEntry, ingestLogEntry, liveRequests } from '../../shared/contract/viewer/viewer.ts';
import { entriesMax, type IngestLog, MemoryIngestLog, matching, type RequestListener, requestsOf } from '../ingest/ingest-log.ts';
import type { Log } from '../platform/log.ts';
import { type Scope, scopeKey } from '../platform/scope.ts';
import { throttled } from '../platform/throttled.ts';
import { type Notices, noticeScope } from './notices.ts';

const channel = 'requests';
const intervalMs = 200;
/** For each app, because no more are shown. */
const waitingMax = entriesMax;
const trimEveryMs = 60_000;

const notice = z.strictObject({ scope: noticeScope, requests: liveRequests });

const insert = `
INSERT INTO ingest_log (tenant_id, app_id, at, entry)
SELECT tenant, id, now(), entry FROM unnest($1::text[], $2::text[], $3::text[]) AS new (tenant, id, entry) JOIN app USING (id)`;

const select = `SELECT entry FROM ingest_log WHERE app_id = $1 AND tenant_id = $2 ORDER BY number DESC LIMIT ${entriesMax}`;

const trimOld = `
DELETE FROM ingest_log WHERE number = ANY (ARRAY(
  SELECT number FROM ingest_log WHERE at < now() - interval '7 days' LIMIT 10000 FOR UPDATE SKIP LOCKED))`;

const trimApp = `
DELETE FROM ingest_log WHERE number = ANY (ARRAY(
  SELECT number FROM ingest_log WHERE app_id = $1 AND number <= (
    SELECT number FROM ingest_log WHERE app_id = $1 ORDER BY number DESC OFFSET ${entriesMax} LIMIT 1)
  LIMIT 10000 FOR UPDATE SKIP LOCKED))`;

const appIsGone = '23503';

interface OfApp {
  scope: Scope;
  entries: IngestLogEntry[];
}

export class PostgresIngestLog implements IngestLog {
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #notices: Notices;
  readonly #own = new MemoryIngestLog();
  readonly #writer = throttled(() => void this.#write(), intervalMs);
  readonly #unfollow: () => void;
  readonly #timer: NodeJS.Timeout;
  #waiting = new Map<string, OfApp>();
  /** Apps with entries since the last trim. */
  readonly #written = new Set<string>();
  #writing: Promise<void> = Promise.resolve();

  constructor(pool: Pool, notices: Notices, log: Log) {
    this.#pool = pool;
    this.#notices = notices;
    this.#log = log;
    // Counts that were missed are not asked for again: the list is read when it is shown.
    this.#unfollow = notices.follow(channel, notice, { heard: ({ scope, requests }) => this.#own.tell(scope, requests), missed: () => {} });
    this.#timer = setInterval(() => void this.trim(), trimEveryMs).unref();
  }

  add(scope: Scope, entry: IngestLogEntry): void {
    this.#own.add(scope, entry);
    const key = scopeKey(scope);
    const ofApp = this.#waiting.get(key) ?? { scope, entries: [] };
    if (ofApp.entries.length >= waitingMax) return;
    ofApp.entries.push(entry);
    this.#waiting.set(key, ofApp);
    this.#writer.request();
  }

  follow(listener: RequestListener): () => void {
    return this.#own.follow(listener);
  }

  isUnused(scope: Scope): boolean {
    return this.#own.isUnused(scope);
  }

  async latest(scope: Scope, limit: number, search: string): Promise<IngestLogEntry[]> {
    const own = this.#own.of(scope);
    return matching(await this.#withOthers(scope, own), limit, search);
  }

  /** Removes what is older than a week, or beyond the newest entries of an app that this gateway has written. Never rejects. */
  async trim(): Promise<void> {
    const apps = [...this.#written];
    this.#written.clear();
    try {
      await this.#pool.query(trimOld);
      for (const app of apps) await this.#pool.query(trimApp, [app]);
    } catch (error) {
      this.#log.error('ingest_log_not_trimmed', { reason: String(error) });
    }
  }

  async stop(): Promise<void> {
    this.#unfollow();
    this.#writer.stop();
    clearInterval(this.#timer);
    await this.#write();
  }

  async #withOthers(scope: Scope, own: readonly IngestLogEntry[]): Promise<readonly IngestLogEntry[]> {
    try {
      const { rows } = await this.#pool.query<{ entry: string }>(select, [scope.app_id, scope.tenant_id]);
      const stored = rows.flatMap(({ entry }) => ingestLogEntry.safeParse(JSON.parse(entry)).data ?? []);
      const all = new Map([...stored, ...own].map((entry) => [entry.id, entry]));
      return [...all.values()].sort((a, b) => Date.parse(a.at) - Date.parse(b.at)).slice(-entriesMax);
    } catch (error) {
      this.#log.error('ingest_log_not_read', { reason: String(error) });
      return own;
    }
  }

  /** One statement at a time. Never rejects. */
  #write(): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      const written = [...this.#waiting.values()];
      if (written.length === 0) return;
      this.#waiting = new Map();
      // An app that is deleted meanwhile is left out by the second attempt.
      await this.#insert(written)
        .catch((error: unknown) => {
          if ((error as { code?: unknown }).code !== appIsGone) throw error;
          return this.#insert(written);
        })
        .catch((error: unknown) => this.#log.error('ingest_log_not_written', { reason: String(error) }));
      for (const { scope, entries } of written)
        this.#notices.publish(channel, { scope, requests: requestsOf(entries) } satisfies z.input<typeof notice>);
    });
    return this.#writing;
  }

  async #insert(written: readonly OfApp[]): Promise<void> {
    const rows = written.flatMap(({ scope, entries }) => entries.map((entry) => ({ scope, entry })));
    const [tenants, apps] = [rows.map(({ scope }) => scope.tenant_id), rows.map(({ scope }) => scope.app_id)];
    await this.#pool.query(insert, [tenants, apps, rows.map(({ entry }) => JSON.stringify(entry))]);
    for (const app of apps) this.#written.add(app);
  }
}

/** Inserts the rows of one commit, and none once a later writer of the same tenants has begun. */
import { randomUUID } from 'node:crypto';
import { type ClickHouseClient, ClickHouseError } from '@clickhouse/client';
import type { Scope } from '../../../platform/scope.ts';
import type { TextBlobs } from '../blobs/text-blobs.ts';
import { textsOf } from '../loaded/replay.ts';
import type { AppChanges, WrittenBatch } from '../loaded/sent-items.ts';
import { ofApp } from '../read/read-context.ts';
import type { TextRow } from '../stored-rows.ts';
import { type Fence, newestEpoch, overtaken, runningInserts } from './fence.ts';
import type { TenantRow } from './usage-rows.ts';
import { recordVersion } from './versions.ts';

/** Texts that are known to be stored, so that they are not sent again. */
const knownTextsMax = 200_000;

/** Of an insert that fails when a later writer has begun. */
const ifNewest = `SELECT * FROM input() WHERE NOT throwIf((${newestEpoch}) > {epoch:UInt64})`;
/** Code of its failure: FUNCTION_THROW_IF_VALUE_IS_NON_ZERO. */
const overtakenCode = '395';

/** Hashes in the address of one request. */
const hashesAtOnce = 2000;

export class Inserts {
  readonly #client: ClickHouseClient;
  readonly #fence: Fence;
  readonly #blobs: TextBlobs;
  readonly #knownTexts: Set<string>;

  /** @param knownTexts keys of texts that are stored, for all writers of this process */
  constructor(client: ClickHouseClient, fence: Fence, blobs: TextBlobs, knownTexts: Set<string>) {
    this.#client = client;
    this.#fence = fence;
    this.#blobs = blobs;
    this.#knownTexts = knownTexts;
  }

  /**
   * Resolves when all rows are durable. What others refer to comes first, large texts before their rows, and what makes a trace known comes last, in one
   * insert with the rows of the tenants. After a failure some may be there (interrupted-commits.ts).
   * @param ofTenants their usage, and for each tenant its `commitRow`
   * @param generation of the blobs of large texts
   * @throws when a row may be missing
   */
  async commit(commit: bigint, changes: readonly AppChanges[], ofTenants: readonly TenantRow[], generation: bigint): Promise<void> {
    const ver = String(commit);
    const text = await this.#storedTexts(ver, changes, generation);
    const { record, log, span, score, place, trace } = rowsOf(changes, ver);
    await this.insert('text', text);
    await this.#insertAll({ record, log, span, score });
    await this.#insertAll({ place: [...place, ...ofTenants.map((row) => ({ ...row, ver }))], trace });
    for (const { scope, texts } of changes) for (const { hash } of texts) this.#know(scope, hash);
  }

  async #storedTexts(ver: string, changes: readonly AppChanges[], generation: bigint): Promise<object[]> {
    const ofApps = await Promise.all(
      changes.map(async (of) => {
        const rows = await this.#blobs.store(of.scope, this.newTexts(of), generation);
        return rows.map((row) => ({ ...of.scope, ...row, ver }));
      }),
    );
    return ofApps.flat();
  }

  async #insertAll(tables: Record<string, readonly object[]>): Promise<void> {
    const inserted = await Promise.allSettled(Object.entries(tables).map(([table, values]) => this.insert(table, values)));
    // Only when all have ended: what is stored is looked up after a failure.
    for (const each of inserted) if (each.status === 'rejected') throw each.reason;
  }

  /** Whether the database still executes one whose connection has ended. */
  async areRunning(): Promise<boolean> {
    const query_params = { writer: this.#fence.writer };
    const result = await this.#client.query({ query: `${runningInserts} LIMIT 1`, query_params, format: 'JSONEachRow' });
    return Number((await result.json<{ found: string | number }>())[0]?.found) > 0;
  }

  /** @throws StorageError `stopping` when a later writer has begun */
  async insert(table: string, values: readonly object[]): Promise<void> {
    if (values.length === 0) return;
    const query_id = `${this.#fence.writer}${randomUUID()}`;
    try {
      await this.#client.insert({
        ...{ table: `${table} ${ifNewest}`, values, format: 'JSONEachRow', query_id },
        query_params: { ...this.#fence },
      });
    } catch (error) {
      throw error instanceof ClickHouseError && error.code === overtakenCode ? overtaken() : error;
    }
  }

  /** Which of these texts of an app are stored already. */
  async storedTexts(scope: Scope, hashes: readonly string[]): Promise<(hash: string) => boolean> {
    const unknown = [...new Set(hashes)].filter((hash) => !this.#isKnown(scope, hash));
    for (let at = 0; at < unknown.length; at += hashesAtOnce) {
      const result = await this.#client.query({
        query: `SELECT hash FROM text FINAL WHERE ${ofApp} AND hash IN {hashes:Array(String)}`,
        query_params: { ...scope, hashes: unknown.slice(at, at + hashesAtOnce) },
        format: 'JSONEachRow',
      });
      for (const { hash } of await result.json<{ hash: string }>()) this.#know(scope, hash);
    }
    return (hash) => this.#isKnown(scope, hash);
  }

  /** Texts of an app that a commit would store. */
  newTexts({ scope, texts }: AppChanges): TextRow[] {
    return [...new Map(texts.filter(({ hash }) => !this.#isKnown(scope, hash)).map((text) => [text.hash, text])).values()];
  }

  /** Whether a commit of a batch would store blobs. */
  storesBlobs({ scope, batch }: WrittenBatch): boolean {
    return textsOf(batch).some(({ hash, bytes }) => this.#blobs.takes(bytes.length) && !this.#isKnown(scope, hash.toString('hex')));
  }

  #isKnown(scope: Scope, hash: string): boolean {
    return this.#knownTexts.has(textKey(scope, hash));
  }

  #know(scope: Scope, hash: string): void {
    if (this.#knownTexts.size >= knownTextsMax) this.#knownTexts.clear();
    this.#knownTexts.add(textKey(scope, hash));
  }

  /** Call it when texts were deleted. */
  forget(): void {
    this.#knownTexts.clear();
  }
}

const textKey = ({ tenant_id, app_id }: Scope, hash: string): string => `${tenant_id}\0${app_id}\0${hash}`;

function rowsOf(changes: readonly AppChanges[], ver: string) {
  const ofApps = <Row extends object>(rows: (of: AppChanges) => readonly Row[]) =>
    changes.flatMap((of) => rows(of).map((row) => ({ ...of.scope, ...row, ver })));
  return {
    record: changes.flatMap(({ scope, records }) =>
      records.map(({ isPending, ...record }) => ({ ...scope, ...record, commit: ver, ver: recordVersion(record.arrival, isPending) })),
    ),
    log: ofApps(({ logs }) => logs),
    span: ofApps(({ spans }) => spans),
    score: ofApps(({ scores }) => scores),
    place: ofApps(({ places }) => places),
    trace: ofApps(({ traces }) => traces),
  };
}

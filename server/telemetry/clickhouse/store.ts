/** The ClickHouse telemetry store (docs/adr/052-copies-of-traces-over-clickhouse.md). */
import { randomBytes } from 'node:crypto';
import type { ClickHouseClient } from '@clickhouse/client';
import { noOverrides, type PriceOverrides } from '../../ingest/cost/own-prices.ts';
import { pack } from '../../ingest/prepare/pack.ts';
import type { WriteOutcome } from '../../ingest/sink.ts';
import { must } from '../../platform/assert.ts';
import { type Log, stderrLog } from '../../platform/log.ts';
import { ThreadDied, ThreadQueue } from '../../platform/thread-queue.ts';
import type { RunawayNotice } from '../runaway-store.ts';
import type { CommitNotice } from '../span-writer.ts';
import { oneTenant, ReaderPool, type ReadSharing } from '../sqlite/read/reader-pool.ts';
import { StorageError } from '../storage-error.ts';
import type { TelemetryStore } from '../store.ts';
import {
  type ChangeRequest,
  failureOf,
  type OwnedTelemetry,
  type OwningWriter,
  outcomeOf,
  type SentRequest,
  type StoreWriter,
} from '../store-requests.ts';
import type { DeletionChange, TraceDeletion } from '../trace-deletions.ts';
import type { TextBlobPlace } from './blobs/text-blobs.ts';
import { type ClickHouseAddress, connectClickHouse, noLimits, queryMs } from './connect.ts';
import { type MigrationLog, migrate } from './migrate.ts';
import { tableMigrationLog } from './migration-logs.ts';
import { migrations } from './migrations/index.ts';
import { QueryPool } from './read/query-pool.ts';
import { ReadContext } from './read/read-context.ts';
import { storeReads } from './read/reads.ts';
import { cursorKeyBytes, StoreCursors } from './read/store-cursors.ts';
import { selectionForWriter } from './read/trace-selection.ts';
import { storageFailure } from './storage-failure.ts';
import type { EncodeProtocol } from './write/encode-thread.ts';
import { buffersOf, RemoteWriters } from './write/remote-writers.ts';
import type { EncodedRequest } from './write/request-codec.ts';

/** Of one reader of copies. */
const copyConnections = 3;
/** Most reads have at most so many at the same time. */
const queriesOfRead = 4;

export interface ClickHouseParts {
  address: ClickHouseAddress;
  /** Where large texts go; null or absent: into the database like all others. */
  blobs?: TextBlobPlace | null;
  /** Entry file of threads. */
  entry: URL;
  prices?: PriceOverrides;
  /** How readers of copies are shared among tenants. Queries are shared alike: half of the connections at most for one of several tenants. */
  sharing?: Partial<ReadSharing>;
  log?: Log;
  /** In the database itself by default, for a single process. */
  migrationLog?: MigrationLog;
}

/** A database of the store: its reads, and writers for the tenants that this process owns. */
export class ClickHouseTelemetry implements OwnedTelemetry {
  readonly context: ReadContext;
  readonly #client: ClickHouseClient;
  readonly #thread: RemoteWriters;
  readonly #encoder: ThreadQueue<EncodeProtocol>;
  readonly #followers = new Set<(notice: CommitNotice) => void>();
  readonly #deletionFollowers = new Set<(change: DeletionChange) => void>();
  readonly #runawayFollowers = new Set<(notice: RunawayNotice) => void>();

  private constructor(
    client: ClickHouseClient,
    cursorKey: Buffer,
    { address, blobs = null, entry, prices = noOverrides, sharing, log = stderrLog }: ClickHouseParts,
  ) {
    this.#client = client;
    const source = { role: 'clickhouse-read', clickhouse: { ...address, connections: copyConnections }, blobs, cursorKey } as const;
    const shared = { ...oneTenant, ...sharing };
    const copies = new ReaderPool(entry, source, shared, undefined, prices);
    const queries = new QueryPool({
      connections: address.connections,
      perTenant: Math.max(1, Math.floor(address.connections / 2)),
      waitingMax: shared.waitingMax * queriesOfRead,
      budgetMs: sharing?.budgetMs ?? queryMs(address.url),
    });
    this.context = new ReadContext(client, new StoreCursors(cursorKey), queries, copies);
    this.#encoder = new ThreadQueue(entry, { role: 'encode' });
    this.#thread = new RemoteWriters(
      entry,
      { clickhouse: address, blobs, prices, cursorKey },
      {
        committed: (notice) => {
          for (const listener of this.#followers) listener(notice);
        },
        deletionChanged: (change) => {
          for (const listener of this.#deletionFollowers) listener(change);
        },
        runawaysChanged: (notices) => {
          for (const notice of notices) for (const listener of this.#runawayFollowers) listener(notice);
        },
        failed: (event, fields) => log.error(event, fields),
      },
    );
  }

  /**
   * Creates or migrates the schema.
   * @throws StorageError when the database cannot be used, or is from a later version
   */
  static async connect(parts: ClickHouseParts): Promise<ClickHouseTelemetry> {
    const migrating = connectClickHouse({ ...parts.address, connections: 1 }, noLimits);
    try {
      await migrate(migrating, parts.migrationLog ?? tableMigrationLog(migrating), migrations);
    } finally {
      await migrating.close();
    }
    const client = connectClickHouse(parts.address);
    try {
      const telemetry = new ClickHouseTelemetry(client, await cursorKeyOf(client), parts);
      await telemetry.context.erased.refresh();
      return telemetry;
    } catch (error) {
      await client.close();
      throw storageFailure(error) ?? error;
    }
  }

  /**
   * @param epoch higher than that of every earlier writer of the same tenants
   * @param part of the tenants that it writes for; null for all
   */
  openWriter(epoch: number, part: number | null): OwningWriter {
    return this.#thread.open(epoch, part);
  }

  /** A writer for all tenants, of what another store received before. @param epoch as above */
  openImport(epoch: number): OwningWriter {
    return this.#thread.open(epoch, null, false);
  }

  /** For the only process that writes: higher than that of every earlier writer, however soon this one follows. */
  async nextEpoch(): Promise<number> {
    const epoch = Number((await settingOf(this.#client, 'epoch')) ?? 0) + 1;
    await this.#client.insert({
      table: 'setting',
      values: [{ name: 'epoch', value: String(epoch), ver: String(epoch) }],
      format: 'JSONEachRow',
    });
    return epoch;
  }

  /**
   * Bytes of a request for a journal.
   * @throws StorageError
   */
  async encode(request: SentRequest): Promise<EncodedRequest> {
    const answer = await this.#encoder.ask(request.scope.tenant_id, 'encode', request, buffersOf(request)).catch((error: Error) => {
      throw new StorageError(error instanceof ThreadDied ? 'io' : 'mistake', `A request could not be encoded: ${error.message}`);
    });
    if ('body' in answer) return answer;
    throw new StorageError(answer.errorKind, answer.message);
  }

  /** Call it when no store is open. */
  async close(): Promise<void> {
    await this.context.stop();
    await Promise.all([this.#thread.stop(), this.#encoder.stop()]);
    await this.#client.close();
  }

  /** @param writer takes the changes to where they are durable; the store stops it */
  store(writer: StoreWriter): TelemetryStore {
    const { context } = this;
    const write = async (request: SentRequest): Promise<WriteOutcome> => outcomeOf(await writer.write(request));
    const change = async (request: ChangeRequest): Promise<unknown> => {
      const result = await writer.write(request);
      if ('value' in result) return result.value;
      throw failureOf(result);
    };
    const reads = storeReads(context);
    return {
      ...reads,
      capabilities: ['reports_conflicts', 'shares_texts', 'watches_runs'],
      writer: { write: (scope, batch, allowance) => write({ kind: 'batch', scope, batch: pack(batch), allowance: allowance ?? null }) },
      scores: {
        ...reads.scores,
        insert: (scope, scores, attribution = null) => change({ kind: 'scores', scope, scores, attribution }) as Promise<number>,
        remove: (scope, id) => change({ kind: 'score removal', scope, id }) as Promise<boolean>,
      },
      deletions: {
        ...reads.deletions,
        begin: async (scope, id, selected) => {
          const selection = await selectionForWriter(context, scope, selected);
          return (await change({ kind: 'deletion', scope, id, selection })) as TraceDeletion;
        },
        follow: (listener) => followed(this.#deletionFollowers, listener),
      },
      erase: async (scope) => {
        await change({ kind: 'erasure', scope });
        context.erased.add(scope);
      },
      tags: {
        ...reads.tags,
        change: async (scope, tags) => {
          const { accepted, conflicts } = await write({ kind: 'tags', scope, tags });
          return { changed: accepted, full: conflicts };
        },
      },
      runaways: {
        ...reads.runaways,
        setThreshold: async (scope, of) => void (await change({ kind: 'runaway threshold', scope, change: of })),
        follow: (listener) => followed(this.#runawayFollowers, listener),
      },
      damage: { now: () => null },
      follow: (listener) => followed(this.#followers, listener),
      probe: () => context.rows('SELECT 1').then(() => {}),
      stop: async () => {
        await writer.stop();
        await this.close();
      },
    };
  }
}

/** @returns ends the calls */
function followed<Listener>(followers: Set<Listener>, listener: Listener): () => void {
  followers.add(listener);
  return () => void followers.delete(listener);
}

/** The store of one process that writes to it. */
export async function openClickHouseTelemetry(parts: ClickHouseParts): Promise<TelemetryStore> {
  const telemetry = await ClickHouseTelemetry.connect(parts);
  try {
    return telemetry.store(telemetry.openWriter(await telemetry.nextEpoch(), null));
  } catch (error) {
    await telemetry.close();
    throw storageFailure(error) ?? error;
  }
}

async function settingOf(client: ClickHouseClient, name: string): Promise<string | undefined> {
  const answer = await client.query({
    query: 'SELECT value FROM setting FINAL WHERE name = {name:String}',
    query_params: { name },
    format: 'JSONEachRow',
  });
  return (await answer.json<{ value: string }>())[0]?.value;
}

/** The key of cursors, made by the process that opens the store first. */
async function cursorKeyOf(client: ClickHouseClient): Promise<Buffer> {
  const find = async () => {
    const value = await settingOf(client, 'cursor_key');
    return value === undefined ? null : Buffer.from(value, 'hex');
  };
  const existing = await find();
  if (existing) return existing;
  // Of processes that make one at the same time, all take the one with the highest version.
  const value = randomBytes(cursorKeyBytes).toString('hex');
  const ver = String(randomBytes(6).readUIntBE(0, 6));
  await client.insert({ table: 'setting', values: [{ name: 'cursor_key', value, ver }], format: 'JSONEachRow' });
  return must(await find(), 'the key was just stored');
}

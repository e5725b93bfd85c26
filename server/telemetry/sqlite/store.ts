/** The SQLite telemetry store: one write thread and a few read threads. This side only passes messages. */
import { join } from 'node:path';
import { monthOf, QuotaExceeded } from '../../ingest/allowance.ts';
import { noOverrides, type PriceOverrides } from '../../ingest/cost/own-prices.ts';
import { pack } from '../../ingest/prepare/pack.ts';
import type { Sink, WriteOutcome } from '../../ingest/sink.ts';
import { remoteCalls } from '../../platform/remote-calls.ts';
import type { Scope } from '../../platform/scope.ts';
import { openChannel, type Port, startThread, stopThread, type Thread } from '../../platform/thread.ts';
import type { ArchiveStore } from '../archive-store.ts';
import { telemetryCapabilities } from '../capabilities.ts';
import type { Damage } from '../damage.ts';
import type { Compaction, FileMaintenance } from '../file-maintenance.ts';
import type { ForwardStore } from '../forward-store.ts';
import type { LocalTelemetryStore } from '../local-telemetry-store.ts';
import type { RedactionStore } from '../redaction-store.ts';
import type { RunawayNotice, RunawayStore } from '../runaway-store.ts';
import type { ScoreStore } from '../score-store.ts';
import type { SearchReader } from '../search-reader.ts';
import type { SpanReader } from '../span-reader.ts';
import type { CommitNotice, SpanWriter } from '../span-writer.ts';
import type { SpendingReader } from '../spending-reader.ts';
import type { MetricsReader, StatisticsReader, UsageReader } from '../statistics-reader.ts';
import { StorageError } from '../storage-error.ts';
import type {
  ComparisonReader,
  ContextReader,
  ErrorGroupReader,
  ExperimentReader,
  SessionReader,
  TraceListReader,
  TraceReader,
} from '../trace-reader.ts';
import type { TraceTags } from '../trace-tags.ts';
import type { WindowReader } from '../window-reader.ts';
import { DamageRecord } from './file/damage-record.ts';
import { StoreCheck } from './file/store-check.ts';
import { forwardStore } from './forward/forward-store.ts';
import { oneTenant, ReaderPool, type ReadSharing } from './read/reader-pool.ts';
import { SelectedDeletions } from './selected-deletions.ts';
import type { CommandCall, RemoteCommands } from './write/commands.ts';
import type { TransferredRequest, WriteMessage, WriteProtocol, WriteThreadReply } from './write/write-messages.ts';

/** The store, and the sink that writes to it. */
export interface SqliteStore extends LocalTelemetryStore {
  readonly sink: Sink;
}

export const telemetryFile = (dataDir: string): string => join(dataDir, 'telemetry.db');

interface Waiting {
  resolve(outcome: WriteOutcome): void;
  reject(error: Error): void;
}

/** Ids below this belong to the ingest pipeline; direct writes count from here. */
const directIdsFrom = 2 ** 40;

/**
 * Opens the store under a data folder, creating it when absent.
 * @throws StorageError when the file cannot be used; nothing is changed then
 */
export async function openSqliteTelemetry(
  dataDir: string,
  entry: URL,
  prices: PriceOverrides = noOverrides,
  sharing: Partial<ReadSharing> = {},
): Promise<SqliteStore> {
  const file = telemetryFile(dataDir);
  const damaged = new Int32Array(new SharedArrayBuffer(4));
  const worker = startThread<WriteProtocol>(entry, { role: 'write', file, prices, damaged });
  const first = await new Promise<WriteThreadReply>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  if (first.kind === 'failed') throw new StorageError(first.errorKind, first.message);
  const { compaction, isUnclean } = first.kind === 'ready' ? first : { compaction: null, isUnclean: false };
  const { log = oneTenant.log } = sharing;
  worker.on('message', (reply) => {
    if (reply.kind === 'watching-failed') log.error('runaway_watching_failed', { reason: reply.reason });
  });
  const record = new DamageRecord(dataDir, log, damaged);
  const met = (found: Damage) => record.note(found);
  const check = isUnclean ? new StoreCheck(entry, file, met, log) : null;
  const pool = new ReaderPool(entry, { role: 'read', file }, { ...oneTenant, ...sharing }, { isKnown: damaged, onDamage: met }, prices);
  return new SqliteTelemetry(worker, pool, record, check, compaction);
}

class SqliteTelemetry implements SqliteStore {
  readonly capabilities = telemetryCapabilities;
  readonly #thread: Thread<WriteProtocol>;
  readonly #pool: ReaderPool;
  readonly #check: StoreCheck | null;
  /** Port to the write thread for the store itself, beside those of the decode threads. */
  readonly #direct: Port<WriteMessage, never>;
  readonly #waiting = new Map<number, Waiting>();
  readonly #followers = new Set<(notice: CommitNotice) => void>();
  readonly #runawayFollowers = new Set<(notice: RunawayNotice) => void>();
  #nextId = directIdsFrom;
  #compaction: Compaction | null;
  /** Reason why the store can no longer be written; null while it can. */
  #closed: StorageError | null = null;

  readonly #commands: RemoteCommands = remoteCalls((method, args) => this.#command({ method, args } as CommandCall));

  readonly writer: SpanWriter = {
    write: (scope, batch, allowance) => this.sink.offer(scope, pack(batch), allowance ?? null),
  };
  readonly sink: Sink = {
    offer: (scope, batch, allowance) => this.#write({ scope, batch, allowance }),
    openChannel: () => {
      const { sender, coming } = this.#openPort();
      return {
        port: sender,
        inFlight: coming,
        written: (id) => this.#written(id),
        forget: (id) => void this.#waiting.delete(id),
      };
    },
  };
  readonly tags: TraceTags;
  readonly maintenance: FileMaintenance;
  readonly damage: DamageRecord;
  readonly deletions: SelectedDeletions;
  readonly forwarding: ForwardStore;
  readonly redaction: RedactionStore;
  readonly runaways: RunawayStore;
  readonly traces: TraceReader;
  readonly traceList: TraceListReader;
  readonly errorGroups: ErrorGroupReader;
  readonly comparisons: ComparisonReader;
  readonly contexts: ContextReader;
  readonly spans: SpanReader;
  readonly sessions: SessionReader;
  readonly scores: ScoreStore;
  readonly experiments: ExperimentReader;
  readonly statistics: StatisticsReader;
  readonly search: SearchReader;
  readonly metrics: MetricsReader;
  readonly windows: WindowReader;
  readonly usage: UsageReader;
  readonly archives: ArchiveStore;
  readonly spending: SpendingReader;

  constructor(
    worker: Thread<WriteProtocol>,
    pool: ReaderPool,
    damage: DamageRecord,
    check: StoreCheck | null,
    compaction: Compaction | null,
  ) {
    this.#compaction = compaction;
    this.#thread = worker;
    this.damage = damage;
    this.#check = check;
    this.#pool = pool;
    worker.on('message', (reply) => this.#onReply(reply));
    worker.on('error', (error) => this.#onDeath(error));
    this.#direct = this.#openPort().sender;
    const { reads } = pool;
    this.traces = reads.traces;
    this.traceList = reads.traceList;
    this.errorGroups = reads.errorGroups;
    this.comparisons = reads.comparisons;
    this.contexts = reads.contexts;
    this.spans = reads.spans;
    this.archives = reads.archives;
    this.spending = reads.spending;
    this.sessions = reads.sessions;
    this.statistics = reads.statistics;
    const { setRetention, compact, cancelCompaction } = this.#commands.maintenance;
    const { storage, older } = reads.maintenance;
    this.maintenance = { storage, older, setRetention, compact, cancelCompaction, compaction: () => this.#compaction };
    this.deletions = new SelectedDeletions(reads.deletions, this.#commands.deletions);
    this.tags = {
      change: async (scope, tags) => {
        const { accepted, conflicts } = await this.#write({ scope, tags });
        return { changed: accepted, full: conflicts };
      },
      find: reads.tags.find,
    };
    this.runaways = {
      list: reads.runaways.list,
      thresholds: reads.runaways.thresholds,
      hasService: reads.runaways.hasService,
      setThreshold: this.#commands.runaways.setThreshold,
      follow: (listener) => {
        this.#runawayFollowers.add(listener);
        return () => void this.#runawayFollowers.delete(listener);
      },
    };
    this.forwarding = forwardStore(reads.forward, this.#commands.forward);
    const { previewSpans, token } = reads.redaction;
    this.redaction = { previewSpans, token, keepTokens: this.#commands.forward.keepTokens };
    this.search = reads.search;
    this.metrics = reads.metrics;
    this.windows = reads.windows;
    this.usage = { of: (scope, at_ms) => reads.usage.of(scope, scope.tenant_id, monthOf(at_ms)) };
    this.experiments = reads.experiments;
    this.scores = {
      insert: async (scope, insert, attribution = null) =>
        (await this.#write({ scope, change: { insert, remove: [], attribution } })).accepted,
      ...{ find: reads.scores.find, list: reads.scores.list, names: reads.scores.names },
      remove: async (scope, id) => (await this.#write({ scope, change: { insert: [], remove: [id], attribution: null } })).accepted > 0,
    };
  }

  #openPort(): { sender: Port<WriteMessage, never>; coming: Int32Array } {
    const { sender, receiver } = openChannel<WriteMessage>();
    const coming = new Int32Array(new SharedArrayBuffer(4));
    this.#thread.postMessage({ kind: 'channel', port: receiver, coming }, [receiver]);
    return { sender, coming };
  }

  follow(listener: (notice: CommitNotice) => void): () => void {
    this.#followers.add(listener);
    return () => void this.#followers.delete(listener);
  }

  erase(scope: Scope): Promise<void> {
    return this.#commands.maintenance.erase(scope);
  }

  probe(): Promise<void> {
    return this.#commands.maintenance.probe();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#pool.stop(), this.#check?.stop()]);
    if (!this.#closed) {
      this.#closed = new StorageError('stopping', 'The store is being closed');
      await stopThread(this.#thread, { kind: 'stop' });
    }
    this.damage.stop();
  }

  async #command(call: CommandCall): Promise<void> {
    const id = this.#nextId++;
    const answered = this.#written(id);
    this.#thread.postMessage({ kind: 'command', id, ...call });
    await answered;
  }

  #write(request: TransferredRequest): Promise<WriteOutcome> {
    const id = this.#nextId++;
    const written = this.#written(id);
    this.#direct.postMessage({ id, ...request });
    return written;
  }

  #written(id: number): Promise<WriteOutcome> {
    if (this.#closed) return Promise.reject(this.#closed);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #onReply(reply: WriteThreadReply): void {
    switch (reply.kind) {
      case 'written':
      case 'spent':
      case 'refused': {
        const waiting = this.#waiting.get(reply.id);
        this.#waiting.delete(reply.id);
        if (reply.kind === 'written') waiting?.resolve(reply.outcome);
        else waiting?.reject(reply.kind === 'spent' ? new QuotaExceeded(reply.spent) : new StorageError(reply.errorKind, reply.message));
        return;
      }
      case 'compaction':
        this.#compaction = reply.compaction;
        return;
      case 'deletion':
        this.deletions.notify(reply.change);
        return;
      case 'committed':
        for (const notice of reply.notices) for (const follower of this.#followers) follower(notice);
        return;
      case 'runaways':
        for (const notice of reply.notices) for (const follower of this.#runawayFollowers) follower(notice);
        return;
      case 'damaged':
        this.damage.note(reply.found);
        return;
      case 'ready':
      case 'failed':
      case 'watching-failed':
        return;
    }
  }

  #onDeath(error: Error): void {
    const failure = new StorageError('io', `The writer failed: ${error.message}`);
    this.#closed = failure;
    for (const waiting of this.#waiting.values()) waiting.reject(failure);
    this.#waiting.clear();
  }
}

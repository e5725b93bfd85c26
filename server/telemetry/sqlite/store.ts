/** The SQLite telemetry store: one writing thread, a few reading ones. This side only passes messages. */
import { join } from 'node:path';
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { AllowanceSpent, monthOf } from '../../ingest/allowance.ts';
import { noOverrides, type PriceOverrides } from '../../ingest/cost/own-prices.ts';
import type { Intake, WriteOutcome } from '../../ingest/intake.ts';
import { pack } from '../../ingest/prepare/pack.ts';
import type { Scope } from '../../platform/scope.ts';
import { startThread, stopThread } from '../../platform/thread.ts';
import type { ArchiveStore } from '../archive-store.ts';
import type { Damage } from '../damage.ts';
import type { ForwardStore } from '../forward-store.ts';
import type { RedactionStore } from '../redaction-store.ts';
import type { ScoreStore } from '../score-store.ts';
import type { SearchReader } from '../search-reader.ts';
import type { SpanReader } from '../span-reader.ts';
import type { CommitNotice, SpanWriter } from '../span-writer.ts';
import type { MetricsReader, StatisticsReader, UsageReader } from '../statistics-reader.ts';
import { StorageError } from '../storage-error.ts';
import type { TelemetryStore } from '../store.ts';
import type { Compaction, StoreMaintenance } from '../store-maintenance.ts';
import type { ExperimentReader, SessionReader, TraceListReader, TraceReader } from '../trace-reader.ts';
import type { WindowReader } from '../window-reader.ts';
import { DamageBook } from './file/damage-book.ts';
import { StoreCheck } from './file/store-check.ts';
import type { ForwardCommand } from './forward/forward-rows.ts';
import type { RemoteReads } from './read/read-calls.ts';
import { oneTenant, ReaderPool, type ReadSharing } from './read/reader-pool.ts';
import type {
  HandedRequest,
  MaintenanceTask,
  WriteMessage,
  WriteTask,
  WriteThreadReply,
  WriteThreadRequest,
} from './write/write-messages.ts';

export const telemetryFile = (dataDir: string): string => join(dataDir, 'telemetry.db');

interface Waiting {
  resolve(outcome: WriteOutcome): void;
  reject(error: Error): void;
}

/** Ids below this are the ingest pipeline's; direct writes count from here. */
const directIdsFrom = 2 ** 40;

/**
 * Opens the store under a data folder, creating it when absent.
 * @throws StorageError when the file cannot be used; nothing was changed
 */
export async function openSqliteTelemetry(
  dataDir: string,
  entry: URL,
  prices: PriceOverrides = noOverrides,
  sharing: Partial<ReadSharing> = {},
): Promise<TelemetryStore> {
  const file = telemetryFile(dataDir);
  const damaged = new Int32Array(new SharedArrayBuffer(4));
  const worker = startThread(entry, { role: 'write', file, prices, damaged } satisfies WriteTask);
  const first = await new Promise<WriteThreadReply>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  if (first.kind === 'failed') throw new StorageError(first.errorKind, first.message);
  const { compaction, isUnclean } = first.kind === 'ready' ? first : { compaction: null, isUnclean: false };
  const { log = oneTenant.log } = sharing;
  const book = new DamageBook(dataDir, log, damaged);
  const met = (found: Damage) => book.note(found);
  const check = isUnclean ? new StoreCheck(entry, file, met, log) : null;
  const pool = new ReaderPool(entry, file, { ...oneTenant, ...sharing }, { isKnown: damaged, met });
  return new SqliteTelemetry(worker, pool, book, check, compaction);
}

class SqliteTelemetry implements TelemetryStore {
  readonly #thread: Worker;
  readonly #pool: ReaderPool;
  readonly #check: StoreCheck | null;
  /** Port to the write thread for the store itself, beside those of the decode threads. */
  readonly #direct: MessagePort;
  readonly #waiting = new Map<number, Waiting>();
  readonly #followers = new Set<(notice: CommitNotice) => void>();
  #nextId = directIdsFrom;
  #compaction: Compaction | null;
  /** Reason why the store can no longer be written; null while it can. */
  #over: StorageError | null = null;

  readonly writer: SpanWriter = {
    write: (scope, batch, allowance) => this.#write({ scope, batch: pack(batch), allowance: allowance ?? null }),
  };
  readonly maintenance: StoreMaintenance = {
    setRetention: (rule) => this.#maintain({ kind: 'retain', rule }),
    compact: () => this.#maintain({ kind: 'compact' }),
    cancelCompaction: () => this.#maintain({ kind: 'cancel-compaction' }),
    compaction: () => this.#compaction,
    erase: (scope) => this.#maintain({ kind: 'erase', scope }),
  };
  readonly damage: DamageBook;
  readonly forwarding: ForwardStore;
  readonly redaction: RedactionStore;
  readonly traces: TraceReader;
  readonly traceList: TraceListReader;
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

  constructor(worker: Worker, pool: ReaderPool, damage: DamageBook, check: StoreCheck | null, compaction: Compaction | null) {
    this.#compaction = compaction;
    this.#thread = worker;
    this.damage = damage;
    this.#check = check;
    this.#pool = pool;
    worker.on('message', (reply: WriteThreadReply) => this.#onReply(reply));
    worker.on('error', (error) => this.#onDeath(error));
    this.#direct = this.openIntake().port;
    const { reads } = pool;
    this.traces = reads.traces;
    this.traceList = reads.traceList;
    this.spans = reads.spans;
    this.archives = reads.archives;
    this.sessions = reads.sessions;
    this.statistics = reads.statistics;
    this.forwarding = this.#forwarding(reads.forward);
    const { previewSpans, token } = reads.redaction;
    this.redaction = { previewSpans, token, keepTokens: (scope, tokens) => this.#forward(scope, { do: 'keepTokens', tokens }) };
    this.search = reads.search;
    this.metrics = reads.metrics;
    this.windows = reads.windows;
    this.usage = { of: (scope, at_ms) => reads.usage.of(scope, scope.tenant_id, monthOf(at_ms)) };
    this.experiments = reads.experiments;
    this.scores = {
      insert: async (scope, insert, attribution = null) =>
        (await this.#write({ scope, change: { insert, remove: [], attribution } })).accepted,
      find: reads.scores.find,
      list: reads.scores.list,
      names: reads.scores.names,
      remove: async (scope, id) => (await this.#write({ scope, change: { insert: [], remove: [id], attribution: null } })).accepted > 0,
    };
  }

  #forwarding(reads: RemoteReads['forward']): ForwardStore {
    const { installation, next, backlog, list, waiting, traces, deadLetters } = reads;
    return {
      ...{ installation, next, backlog, list, waiting, traces, deadLetters },
      begin: (scope, name, withAll, settings = {}) => this.#forward(scope, { do: 'begin', name, withAll, settings }),
      set: (scope, name, settings) => this.#forward(scope, { do: 'set', name, settings }),
      note: (scope, name, standing, error) => this.#forward(scope, { do: 'note', name, standing, error }),
      end: (scope, name) => this.#forward(scope, { do: 'end', name }),
      ack: (scope, name, upTo, result) => this.#forward(scope, { do: 'ack', name, upTo, result }),
      deadLetter: (scope, name, message, reason) => this.#forward(scope, { do: 'deadLetter', name, message, reason }),
      retryDeadLetters: (scope, name) => this.#forward(scope, { do: 'retryDeadLetters', name }),
      queueTraces: (scope, name, traceIds) => this.#forward(scope, { do: 'queueTraces', name, traceIds }),
      deadLetterLines: async (scope, name, most) => (await reads.deadLetterLines(scope, name, most)).bytes,
    };
  }

  #forward(scope: Scope, command: ForwardCommand): Promise<void> {
    return this.#maintain({ kind: 'forward', scope, command });
  }

  openIntake(): Intake {
    const { port1, port2 } = new MessageChannel();
    const coming = new Int32Array(new SharedArrayBuffer(4));
    this.#thread.postMessage({ kind: 'intake', port: port2, coming } satisfies WriteThreadRequest, [port2]);
    return {
      port: port1,
      coming,
      written: (id) => this.#written(id),
      forget: (id) => void this.#waiting.delete(id),
    };
  }

  follow(listener: (notice: CommitNotice) => void): () => void {
    this.#followers.add(listener);
    return () => void this.#followers.delete(listener);
  }

  probe(): Promise<void> {
    return this.#maintain({ kind: 'probe' });
  }

  async stop(): Promise<void> {
    await Promise.all([this.#pool.stop(), this.#check?.stop()]);
    if (!this.#over) {
      this.#over = new StorageError('stopping', 'The store is being closed');
      await stopThread(this.#thread, { kind: 'stop' } satisfies WriteThreadRequest);
    }
    this.damage.stop();
  }

  async #maintain(work: MaintenanceTask): Promise<void> {
    const id = this.#nextId++;
    const answered = this.#written(id);
    this.#thread.postMessage({ ...work, id } satisfies WriteThreadRequest);
    await answered;
  }

  #write(request: HandedRequest): Promise<WriteOutcome> {
    const id = this.#nextId++;
    const written = this.#written(id);
    this.#direct.postMessage({ id, ...request } satisfies WriteMessage);
    return written;
  }

  #written(id: number): Promise<WriteOutcome> {
    if (this.#over) return Promise.reject(this.#over);
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
        else waiting?.reject(reply.kind === 'spent' ? new AllowanceSpent(reply.spent) : new StorageError(reply.errorKind, reply.message));
        return;
      }
      case 'compaction':
        this.#compaction = reply.compaction;
        return;
      case 'committed':
        for (const notice of reply.notices) for (const follower of this.#followers) follower(notice);
        return;
      case 'damaged':
        this.damage.note(reply.found);
        return;
      case 'ready':
      case 'failed':
        return;
    }
  }

  #onDeath(error: Error): void {
    const failure = new StorageError('io', `The writer failed: ${error.message}`);
    this.#over = failure;
    for (const waiting of this.#waiting.values()) waiting.reject(failure);
    this.#waiting.clear();
  }
}

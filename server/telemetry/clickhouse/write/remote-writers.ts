/** The write thread, as the rest of the process sees it. */
import { transferable } from '../../../ingest/prepare/pack.ts';
import { must } from '../../../platform/assert.ts';
import { startThread, stopThread, type Thread } from '../../../platform/thread.ts';
import type { RunawayNotice } from '../../runaway-store.ts';
import type { CommitNotice } from '../../span-writer.ts';
import { StorageError } from '../../storage-error.ts';
import type { OwningWriter, SentRequest, StoreResult } from '../../store-requests.ts';
import type { DeletionChange } from '../../trace-deletions.ts';
import type { SentResult, WriteCall, WriteProtocol, WriteReply, WriteTask } from './write-thread.ts';

type Answer = Extract<WriteReply, { id: number }>;

export interface WriteEvents {
  committed(notice: CommitNotice): void;
  deletionChanged(change: DeletionChange): void;
  runawaysChanged(notices: RunawayNotice[]): void;
  failed(event: string, fields: { app: string; reason: string }): void;
}

/** One thread at a time. */
class RunningThread {
  readonly thread: Thread<WriteProtocol>;
  readonly ended = new AbortController();
  readonly waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>();
  death: StorageError | null = null;

  constructor(thread: Thread<WriteProtocol>, events: WriteEvents) {
    this.thread = thread;
    thread.on('message', (reply) => {
      if (reply.kind === 'committed') return events.committed(reply.notice);
      if (reply.kind === 'deletion') return events.deletionChanged(reply.change);
      if (reply.kind === 'runaways') return events.runawaysChanged(reply.notices);
      if (reply.kind === 'failure') return events.failed(reply.event, { app: reply.app, reason: reply.reason });
      this.waiting.get(reply.id)?.resolve(reply);
      this.waiting.delete(reply.id);
    });
    thread.on('error', (error) => {
      this.death = new StorageError('io', `The writer failed: ${error.message}`);
      for (const { reject } of this.waiting.values()) reject(this.death);
      this.waiting.clear();
      this.ended.abort(this.death);
    });
  }
}

export class RemoteWriters {
  readonly #start: () => RunningThread;
  #running: RunningThread;
  #nextId = 1;

  /** @param entry of threads */
  constructor(entry: URL, task: Omit<WriteTask, 'role'>, events: WriteEvents) {
    this.#start = () => new RunningThread(startThread<WriteProtocol>(entry, { role: 'clickhouse-write', ...task }), events);
    this.#running = this.#start();
  }

  /**
   * Opens a writer, in another thread when the last one has died.
   * @param epoch higher than that of every earlier writer of the same tenants
   * @param part of the tenants that it writes for; null for all
   * @param watchesRuns whether it finds runaways
   */
  open(epoch: number, part: number | null, watchesRuns = true): OwningWriter {
    if (this.#running.death) this.#running = this.#start();
    const running = this.#running;
    this.#call(running, { kind: 'open', epoch, part, watchesRuns }).catch(() => {});
    let isStopping = false;
    /** @returns a result for each of the requests of the call */
    const resultsOf = async (count: number, call: WriteCall, transfer: ArrayBuffer[]): Promise<StoreResult[]> => {
      const all = (error: StorageError) => Array<StoreResult>(count).fill({ error });
      if (isStopping) return all(new StorageError('stopping', 'The store is being closed'));
      try {
        const { results } = await this.#call(running, call, transfer);
        return results.length === count ? results.map(received) : all(new StorageError('io', 'The writer gave no result'));
      } catch (error) {
        return all(error as StorageError);
      }
    };
    return {
      ended: running.ended.signal,
      write: async (request) => {
        const [result] = await resultsOf(1, { kind: 'write', epoch, request }, buffersOf(request));
        return must(result, 'a request has a result');
      },
      apply: (requests) =>
        resultsOf(
          requests.length,
          { kind: 'apply', epoch, requests },
          requests.map(({ body }) => body.buffer),
        ),
      giveUp: (number) => void this.#call(running, { kind: 'give up', epoch, number }).catch(() => {}),
      stop: async () => {
        isStopping = true;
        await this.#call(running, { kind: 'close', epoch }).catch(() => {});
      },
    };
  }

  /** Call it when all writers are stopped. */
  stop(): Promise<void> {
    return stopThread(this.#running.thread, 'stop');
  }

  #call({ death, waiting, thread }: RunningThread, call: WriteCall, transfer: ArrayBuffer[] = []): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (death) return reject(death);
      const id = this.#nextId++;
      waiting.set(id, { resolve, reject });
      thread.postMessage({ ...call, id }, transfer);
    });
  }
}

/** Transferred instead of copied. */
export const buffersOf = (request: SentRequest): ArrayBuffer[] => (request.kind === 'batch' ? transferable(request.batch) : []);

function received(result: SentResult): StoreResult {
  if (!('error' in result)) return result;
  const error = new StorageError(result.error.errorKind, result.error.message);
  error.isOfOne = result.error.isOfOne;
  return { error };
}

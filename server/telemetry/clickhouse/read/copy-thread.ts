/** A thread that reads copies of traces: it fetches what is stored of them, and runs the reads of the SQLite store over it. */

import { must } from '../../../platform/assert.ts';
import { collectWhenIdle } from '../../../platform/idle-collect.ts';
import type { Scope } from '../../../platform/scope.ts';
import { threadPort } from '../../../platform/thread.ts';
import { type CopiedTraces, type CopyTask, failureOf, type ReadProtocol, replyOf } from '../../sqlite/read/read-thread.ts';
import { TimeLimit } from '../../sqlite/read/time-limit.ts';
import { TextBlobs } from '../blobs/text-blobs.ts';
import { connectClickHouse } from '../connect.ts';
import { LoadedTraces } from '../loaded/loaded-traces.ts';
import { storageFailure } from '../storage-failure.ts';
import { StoredTraceReader } from '../stored-traces.ts';

type CopyRequest = Exclude<ReadProtocol['request'], 'stop'>;

/** The copy of the last read: a trace that is opened is read several times. */
interface LastCopy {
  key: string;
  /** Null for a copy that may change without a version: one with scores, or without some texts. */
  version: string | null;
  traces: LoadedTraces;
}

/** Makes copies, and keeps the last one. */
class Copies {
  readonly #newCopy: () => LoadedTraces;
  /** Preparing the statements takes as long as loading a small trace. */
  #spare: LoadedTraces | null;
  #last: LastCopy | null = null;

  constructor(newCopy: () => LoadedTraces) {
    this.#newCopy = newCopy;
    this.#spare = newCopy();
  }

  /** @param check called between steps; throws to end it */
  async load(stored: StoredTraceReader, scope: Scope, { trace_ids, scores }: CopiedTraces, check: () => void): Promise<LoadedTraces> {
    const key = JSON.stringify([scope.tenant_id, scope.app_id, trace_ids]);
    // Before the rest is read: what changes meanwhile belongs to a later version.
    const version = await stored.versions(scope, trace_ids);
    if (this.#last?.key === key && this.#last.version === version && !scores) return this.#last.traces;
    this.#forgetLast();
    const traces = this.#spare ?? this.#newCopy();
    this.#spare = null;
    this.#last = { key, version: scores ? null : version, traces };
    try {
      const found = await stored.read(scope, trace_ids, { scores, check });
      traces.load(scope, found, check);
      // The next read tries again.
      if (found.away !== null) this.#last.version = null;
    } catch (error) {
      this.#forgetLast();
      throw error;
    }
    return traces;
  }

  /** Call it when a read is answered. */
  prepareNext(): void {
    this.#spare ??= this.#newCopy();
  }

  close(): void {
    this.#spare?.close();
    this.#forgetLast();
  }

  #forgetLast(): void {
    this.#last?.traces.close();
    this.#last = null;
  }
}

export function runCopyThread({ clickhouse, blobs: place = null, cursorKey, budgetMs, shared }: CopyTask): void {
  const main = threadPort<ReadProtocol>();
  const client = connectClickHouse(clickhouse);
  const blobs = new TextBlobs(place);
  const reading = { cursorKey: Buffer.from(cursorKey), budgetMs, shared };
  const copies = new Copies(() => new LoadedTraces(shared.prices, reading));
  const limit = new TimeLimit(budgetMs, shared);
  const worked = collectWhenIdle();
  const read = async ({ method, args, limits, copied }: CopyRequest) => {
    const began = performance.now();
    limit.begin(limits);
    const traces = await withLimit(limit, (signal) =>
      copies.load(new StoredTraceReader(client, blobs, signal), args[0], must(copied, 'a read of a copy names its traces'), () =>
        limit.check(),
      ),
    );
    return replyOf(traces.read(method, args, { ...limits, leftMs: limits.leftMs - (performance.now() - began) }));
  };
  const answer = async (request: CopyRequest) => {
    try {
      const reply = await read(request);
      main.postMessage(
        reply,
        [reply.json, reply.bytes].flatMap((part) => (part ? [part.buffer] : [])),
      );
    } catch (error) {
      main.postMessage({ kind: 'failed', ...failureOf(storageFailure(error) ?? error, false) });
    }
    copies.prepareNext();
    worked();
  };
  let running: Promise<void> = Promise.resolve();
  main.on('message', async (request) => {
    if (request !== 'stop') {
      running = answer(request);
      return;
    }
    await running;
    copies.close();
    await client.close();
    main.close();
  });
  main.postMessage({ kind: 'ready' });
}

/** Queries run elsewhere, so that the limit of a read is checked beside them. */
const checkMs = 50;

/** Work that waits for queries. @param work is given a signal that aborts when the limit is over */
async function withLimit<T>(limit: TimeLimit, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const cancel = new AbortController();
  const watch = setInterval(() => {
    try {
      limit.check();
    } catch (error) {
      cancel.abort(error);
    }
  }, checkMs);
  try {
    return await work(cancel.signal);
  } catch (error) {
    throw cancel.signal.aborted ? cancel.signal.reason : error;
  } finally {
    clearInterval(watch);
  }
}

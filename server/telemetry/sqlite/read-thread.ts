/** A thread with one read-only connection. It encodes its answers, so that the HTTP loop never does. */
import { parentPort } from 'node:worker_threads';
import { must } from '../../platform/assert.ts';
import { collectWhenIdle } from '../../platform/idle-collect.ts';
import type { Damage } from '../damage.ts';
import { StorageError, type StorageErrorKind } from '../storage-error.ts';
import { openReader } from './open.ts';
import { createReader, type ReadAnswer, type SharedWithPool } from './read/reader.ts';
import type { ReadLimits } from './read/time-limit.ts';
import { storageErrorKind } from './storage-error-kind.ts';

export type ReadMethod =
  | 'traces.list'
  | 'traces.find'
  | 'traces.graph'
  | 'traces.outline'
  | 'spans.list'
  | 'spans.ofTrace'
  | 'spans.io'
  | 'spans.tracesOf'
  | 'spans.raw'
  | 'spans.previews'
  | 'spans.find'
  | 'spans.media'
  | 'sessions.list'
  | 'sessions.traces'
  | 'experiments.list'
  | 'experiments.find'
  | 'experiments.baseline'
  | 'scores.list'
  | 'scores.find'
  | 'scores.names'
  | 'statistics.activity'
  | 'statistics.scores'
  | 'statistics.storage'
  | 'statistics.older'
  | 'search.traces'
  | 'search.spans'
  | 'search.scores'
  | 'search.span'
  | 'metrics.requests'
  | 'metrics.scores'
  | 'traceList.list'
  | 'traceList.overTime'
  | 'traceList.facets'
  | 'traceList.values'
  | 'windows.requests'
  | 'windows.scores'
  | 'usage.of'
  | 'capsules.otlp'
  | 'capsules.pack'
  | 'capsules.open'
  | 'forward.next'
  | 'forward.backlog'
  | 'forward.installation'
  | 'forward.list'
  | 'forward.waiting'
  | 'forward.traces'
  | 'forward.deadLetters'
  | 'forward.deadLetterLines'
  | 'redaction.preview'
  | 'redaction.token';

export interface Read {
  method: ReadMethod;
  args: unknown[];
}

export type ReadRequest = (Read & { limits: ReadLimits }) | 'stop';

/** One to each read, and `ready` before the first. */
export type ReadReply =
  | { kind: 'ready' }
  | { kind: 'read'; json: Uint8Array | null; total: number; bytes?: Uint8Array<ArrayBuffer> }
  | { kind: 'failed'; errorKind: StorageErrorKind | null; message: string };

/** Beside the replies: what could not be read on the way. */
export type ReadNotice = { kind: 'damaged'; found: Damage };

/** What the thread is started with. */
export interface ReadTask {
  role: 'read';
  file: string;
  /** Longest time for one read, with its wait for a reader. */
  budgetMs: number;
  shared: SharedWithPool;
}

export function runReadThread({ file, budgetMs, shared }: ReadTask): void {
  const main = must(parentPort, 'a reader runs in a worker thread');
  const db = openReader(file);
  const tell = (found: Damage) => main.postMessage({ kind: 'damaged', found } satisfies ReadNotice);
  const read = createReader(db, budgetMs, shared, tell);
  const worked = collectWhenIdle();
  main.on('message', (request: ReadRequest) => {
    if (request === 'stop') {
      db.close();
      main.close();
      return;
    }
    const { method, args, limits } = request;
    try {
      const answer = db.transaction(() => read(method, args, limits))() as ReadAnswer;
      const { total, bytes } = answer;
      const json = jsonOf(answer);
      const reply: ReadReply = { kind: 'read', json, total, ...(bytes && { bytes }) };
      main.postMessage(
        reply,
        [json, bytes].flatMap((part) => (part ? [part.buffer] : [])),
      );
    } catch (error) {
      const failure = failureOf(error, Atomics.load(shared.damaged, 0) !== 0);
      const isTold = error instanceof StorageError && error.isTold;
      if (failure.errorKind === 'corrupt' && !isTold)
        tell({ kind: 'database', id: method, why: failure.message.split('\n', 1)[0] as string });
      main.postMessage({ kind: 'failed', ...failure } satisfies ReadReply);
    }
    worked();
  });
  main.postMessage({ kind: 'ready' } satisfies ReadReply);
}

/** What goes wrong by itself over a store that is known to be damaged is the store's, until somebody shows that it is ours. */
function failureOf(error: unknown, isDamaged: boolean): { errorKind: StorageErrorKind | null; message: string } {
  if (error instanceof StorageError) return { errorKind: error.errorKind, message: error.message };
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { errorKind: storageErrorKind(error) ?? (isDamaged ? 'corrupt' : null), message };
}

function jsonOf(answer: ReadAnswer): Uint8Array<ArrayBuffer> | null {
  if ('json' in answer) return answer.json;
  return answer.value === null ? null : ownBytes(JSON.stringify(answer.value));
}

/** Bytes over a buffer of their own: small Buffers share a pool, which cannot change threads. */
function ownBytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Buffer.byteLength(text));
  Buffer.from(bytes.buffer).write(text);
  return bytes;
}

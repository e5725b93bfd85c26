/** A thread with one read-only connection. It encodes its answers, so that the HTTP loop never does. */
import { collectWhenIdle } from '../../../platform/idle-collect.ts';
import { threadPort } from '../../../platform/thread.ts';
import type { TextBlobPlace } from '../../clickhouse/blobs/text-blobs.ts';
import type { Damage } from '../../damage.ts';
import { Encoded } from '../../encoded.ts';
import { StorageError, type StorageErrorKind } from '../../storage-error.ts';
import { openReader } from '../file/open.ts';
import { storageErrorKind } from '../file/storage-error-kind.ts';
import { ReadFile, ReadPage } from './read-answer.ts';
import type { ReadCall } from './read-calls.ts';
import { createReader, type SharedWithPool } from './reader.ts';
import type { ReadLimits } from './time-limit.ts';

/** Traces of which a copy is made for a read (clickhouse/read/copy-thread.ts). */
export interface CopiedTraces {
  trace_ids: readonly string[];
  /** Whether their scores, and those of their spans, are needed. */
  scores: boolean;
}

export type ReadRequest = (ReadCall & { limits: ReadLimits; copied?: CopiedTraces }) | 'stop';

/** One reply for each read, and `ready` before the first. */
export type ReadReply =
  | { kind: 'ready' }
  /** `total`: of a page, null of anything else. */
  | { kind: 'read'; json: Uint8Array<ArrayBuffer> | null; total: number | null; totalIsLowerBound?: true; bytes?: Uint8Array<ArrayBuffer> }
  | { kind: 'failed'; errorKind: StorageErrorKind | null; message: string };

/** Notice beside the replies, for damage found during a read. */
export type ReadNotice = { kind: 'damaged'; found: Damage };

interface TaskOfPool {
  /** Longest time for one read, with its wait for a reader. */
  budgetMs: number;
  shared: SharedWithPool;
}

/** Start message of the thread. */
export interface ReadTask extends TaskOfPool {
  role: 'read';
  file: string;
}

/** Start message of a thread that reads copies of traces. */
export interface CopyTask extends TaskOfPool {
  role: 'clickhouse-read';
  clickhouse: { url: string; connections: number };
  blobs?: TextBlobPlace | null;
  cursorKey: Uint8Array;
}

/** What the readers of a pool read. */
export type ReadSource = Omit<ReadTask, keyof TaskOfPool> | Omit<CopyTask, keyof TaskOfPool>;

export interface ReadProtocol {
  task: ReadTask | CopyTask;
  request: ReadRequest;
  reply: ReadReply | ReadNotice;
}

export function runReadThread({ file, budgetMs, shared }: ReadTask): void {
  const main = threadPort<ReadProtocol>();
  const db = openReader(file);
  const tell = (found: Damage) => main.postMessage({ kind: 'damaged', found });
  const read = createReader(db, budgetMs, shared, tell);
  const worked = collectWhenIdle();
  main.on('message', (request) => {
    if (request === 'stop') {
      db.close();
      main.close();
      return;
    }
    const { method, args, limits } = request;
    try {
      const reply = replyOf(db.transaction((): unknown => read(method, args, limits))());
      main.postMessage(
        reply,
        [reply.json, reply.bytes].flatMap((part) => (part ? [part.buffer] : [])),
      );
    } catch (error) {
      const failure = failureOf(error, Atomics.load(shared.damaged, 0) !== 0);
      const isReported = error instanceof StorageError && error.isReported;
      if (failure.errorKind === 'corrupt' && !isReported)
        tell({ kind: 'database', id: method, why: failure.message.split('\n', 1)[0] as string });
      main.postMessage({ kind: 'failed', ...failure });
    }
    worked();
  });
  main.postMessage({ kind: 'ready' });
}

/** Unexplained failures over a damaged store are attributed to the damage. */
export function failureOf(error: unknown, isDamaged: boolean): { errorKind: StorageErrorKind | null; message: string } {
  if (error instanceof StorageError) return { errorKind: error.errorKind, message: error.message };
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { errorKind: storageErrorKind(error) ?? (isDamaged ? 'corrupt' : null), message };
}

/** Reply with the answer of a read. */
export function replyOf(answer: unknown): Extract<ReadReply, { kind: 'read' }> {
  if (answer instanceof ReadPage) {
    const page = { kind: 'read', json: jsonOf(answer.value), total: answer.total } as const;
    return answer.totalIsLowerBound ? { ...page, totalIsLowerBound: true } : page;
  }
  if (answer instanceof ReadFile) return { kind: 'read', json: jsonOf(answer.value), total: null, bytes: answer.bytes };
  if (answer instanceof Encoded) return { kind: 'read', json: answer.json, total: null };
  return { kind: 'read', json: answer === null ? null : jsonOf(answer), total: null };
}

const jsonOf = (value: unknown): Uint8Array<ArrayBuffer> => ownBytes(JSON.stringify(value));

/** Bytes over a buffer of their own: small Buffers share a pool, which cannot change threads. */
function ownBytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Buffer.byteLength(text));
  Buffer.from(bytes.buffer).write(text);
  return bytes;
}

/** The page's side of the worker that holds large values. The worker starts with the first task. */
import { GatewayError } from '../../shared/client.ts';
import type { Truncated } from '../model/trace/truncate-texts.ts';
import { Unreachable } from './client.ts';
import type { DocumentTask, DocumentTasks, TaskRequest, TaskResponse } from './document-tasks.ts';
import { beforeRequest } from './gateway-live.ts';
import { identityHeaders } from './identity.ts';

type Settle = { resolve: (value: never) => void; reject: (cause: Error) => void };

let worker: Worker | undefined;
let lastId = 0;
const pending = new Map<number, Settle>();

function failAll(message: string) {
  for (const { reject } of pending.values()) reject(new Error(message));
  pending.clear();
  worker?.terminate();
  worker = undefined;
}

function start(): Worker {
  const started = new Worker(new URL('./document-worker.ts', import.meta.url), { type: 'module', name: 'documents' });
  started.addEventListener('message', ({ data }: MessageEvent<TaskResponse>) => {
    const settle = pending.get(data.id);
    pending.delete(data.id);
    if ('value' in data) settle?.resolve(data.value as never);
    else if (data.failure.status > 0) settle?.reject(new GatewayError(data.failure.status, data.failure.body));
    else settle?.reject(data.failure.body === null ? new Unreachable(new Error(data.failure.message)) : new Error(data.failure.message));
  });
  // Out of memory, or the script cannot be loaded: pending calls fail, and the next call starts another worker.
  started.addEventListener('error', (event) => failAll(event.message || 'The worker that reads large values has stopped'));
  return started;
}

export function runDocumentTask<T extends DocumentTask>(task: T, params: DocumentTasks[T]['params']): Promise<DocumentTasks[T]['result']> {
  worker ??= start();
  const id = ++lastId;
  const { promise, resolve, reject } = Promise.withResolvers<DocumentTasks[T]['result']>();
  pending.set(id, { resolve: resolve as Settle['resolve'], reject });
  worker.postMessage({ id, task, params, headers: identityHeaders() } as TaskRequest);
  return promise;
}

/** The `data` of a response of the gateway, with long texts truncated. */
export async function readTruncated<T>(path: string, textMax: number): Promise<Truncated<T>> {
  await beforeRequest();
  return runDocumentTask('read', { path, textMax }) as Promise<Truncated<T>>;
}

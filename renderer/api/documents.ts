/** The page's side of the worker that holds large values. The worker starts with the first question. */
import { GatewayError } from '../../shared/client.ts';
import type { Light } from '../model/trace/lighten.ts';
import { Unreachable } from './client.ts';
import type { DocumentTask, DocumentTasks, TaskAnswer, TaskRequest } from './document-tasks.ts';
import { beforeAsking } from './gateway-live.ts';
import { identityHeaders } from './identity.ts';

type Settle = { resolve: (value: never) => void; reject: (cause: Error) => void };

let worker: Worker | undefined;
let last = 0;
const waiting = new Map<number, Settle>();

function failAll(message: string) {
  for (const { reject } of waiting.values()) reject(new Error(message));
  waiting.clear();
  worker?.terminate();
  worker = undefined;
}

function start(): Worker {
  const started = new Worker(new URL('./document-worker.ts', import.meta.url), { type: 'module', name: 'documents' });
  started.addEventListener('message', ({ data }: MessageEvent<TaskAnswer>) => {
    const settle = waiting.get(data.id);
    waiting.delete(data.id);
    if ('value' in data) settle?.resolve(data.value as never);
    else if (data.failure.status > 0) settle?.reject(new GatewayError(data.failure.status, data.failure.body));
    else settle?.reject(data.failure.body === null ? new Unreachable(new Error(data.failure.message)) : new Error(data.failure.message));
  });
  // Out of memory, or the script cannot be loaded: pending calls fail, and the next call starts another worker.
  started.addEventListener('error', (event) => failAll(event.message || 'The thread that reads large values has ended'));
  return started;
}

export function askDocuments<T extends DocumentTask>(task: T, asked: DocumentTasks[T]['asked']): Promise<DocumentTasks[T]['answer']> {
  worker ??= start();
  const id = ++last;
  const { promise, resolve, reject } = Promise.withResolvers<DocumentTasks[T]['answer']>();
  waiting.set(id, { resolve: resolve as Settle['resolve'], reject });
  worker.postMessage({ id, task, asked, headers: identityHeaders() } as TaskRequest);
  return promise;
}

/** The `data` of an answer of the gateway, with texts that are too long for the page cut. */
export async function readLight<T>(path: string, textMax: number): Promise<Light<T>> {
  await beforeAsking();
  return askDocuments('read', { path, textMax }) as Promise<Light<T>>;
}

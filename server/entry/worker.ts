/** Every thread of the gateway begins here, and loads only what its role needs: each keeps its own copy of all code it loads. */
import { workerData } from 'node:worker_threads';
import type { WorkerRole } from '../platform/worker.ts';

const task = workerData as WorkerRole;

switch (task.role) {
  case 'decode':
    (await import('../ingest/decode-thread.ts')).runDecodeThread(task.prices);
    break;
  case 'write':
    (await import('../telemetry/sqlite/write-thread.ts')).runWriteThread(task.file, task.prices);
    break;
  case 'read':
    (await import('../telemetry/sqlite/read-thread.ts')).runReadThread(task.file);
    break;
}

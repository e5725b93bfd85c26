/** Every thread of the gateway begins here; what it does is told by its role. */
import { workerData } from 'node:worker_threads';
import { runDecodeThread } from '../ingest/decode-thread.ts';
import type { WorkerRole } from '../platform/worker.ts';
import { runReadThread } from '../telemetry/sqlite/read-thread.ts';
import { runWriteThread } from '../telemetry/sqlite/write-thread.ts';

const task = workerData as WorkerRole;

if (task.role === 'decode') runDecodeThread(task.pricesFile);
else if (task.role === 'write') runWriteThread(task.file);
else runReadThread(task.file);

/** Starts the threads of the gateway. All threads have one entry file, so that a bundle needs only one more entry. */
import { Worker } from 'node:worker_threads';

/**
 * Heap limits in megabytes. V8 grows a heap in proportion to its limit, so threads with little work get a small one.
 * A reader may build a trace of 100,000 spans, the writer the tree of a trace with a million. From a limit of 2 GB on V8 collects only
 * at four times the live heap, below that at less than twice.
 */
const heapLimits = {
  rows: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 256 },
  body: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 512 },
  template: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 256 },
  decode: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 512 },
  write: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 1024 },
  read: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 1024 },
  redact: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 1024 },
  check: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 },
} as const;

/** @param entry `server/entry/worker.ts` or its bundle, which selects the code by the role */
export function startThread<T extends { role: keyof typeof heapLimits }>(entry: URL, task: T): Worker {
  return new Worker(entry, {
    workerData: task,
    name: `glasshouse-${task.role}`,
    resourceLimits: heapLimits[task.role],
    // Threads inherit only the loader of sources from the flags of the process.
    execArgv: process.execArgv.filter((flag) => /^--require=.*from-sources\.cjs$/.test(flag)),
  });
}

/** Asks a thread to end, and waits until it has ended or died. */
export function stopThread(thread: Worker, request: unknown): Promise<void> {
  return new Promise((resolve) => {
    // An ended thread has the id -1 and emits no further `exit`.
    if (thread.threadId === -1) return resolve();
    thread.once('exit', () => resolve());
    thread.postMessage(request);
  });
}

/** Starts the threads of the gateway. There is one worker file, so that a bundle needs one more entry and no more. */
import { Worker } from 'node:worker_threads';

/**
 * Megabytes. V8 lets a heap grow in proportion to its limit, so a limit is also a habit: small where the work is small.
 * A reader may have to build a trace of 100,000 spans, the writer the tree of one with a million. From 2 GB on V8 lets four times
 * what is alive pile up before it collects, below that less than twice.
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

/** @param entry the worker file: `server/entry/worker.ts`, or its bundle; it knows the tasks by their roles */
export function startWorker<T extends { role: keyof typeof heapLimits }>(entry: URL, task: T): Worker {
  return new Worker(entry, {
    workerData: task,
    name: `glasshouse-${task.role}`,
    resourceLimits: heapLimits[task.role],
    // Flags of the parent (inspectors, test runners) are not for its threads; how sources are loaded is.
    execArgv: process.execArgv.filter((flag) => /^--require=.*from-sources\.cjs$/.test(flag)),
  });
}

/** Asks a thread to end, and waits until it has; one that dies of it has ended too. */
export function stopWorker(worker: Worker, request: unknown): Promise<void> {
  return new Promise((resolve) => {
    // A thread that has ended is no number, and would not say so again.
    if (worker.threadId === -1) return resolve();
    worker.once('exit', () => resolve());
    worker.postMessage(request);
  });
}

/** Starts the threads of the gateway. There is one worker file, so that a bundle needs one more entry and no more. */
import { Worker } from 'node:worker_threads';
import type { PriceOverrides } from '../ingest/cost/own-prices.ts';

/** What a thread is for, and what it needs to begin. */
export type WorkerRole = { role: 'decode'; prices: PriceOverrides } | { role: 'write'; file: string; prices: PriceOverrides } | { role: 'read'; file: string };

/** @param entry the worker file: `server/entry/worker.ts`, or its bundle. */
export function startWorker(entry: URL, role: WorkerRole): Worker {
  return new Worker(entry, {
    workerData: role,
    name: `glasshouse-${role.role}`,
    // Young generations of 16 MB keep three isolates from holding hundreds of megabytes of garbage between collections.
    resourceLimits: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 256 },
    // Flags of the parent (inspectors, test runners) are not for its threads.
    execArgv: [],
  });
}

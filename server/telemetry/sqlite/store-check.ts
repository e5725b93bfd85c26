import type { Worker } from 'node:worker_threads';
import type { Log } from '../../platform/log.ts';
import { startWorker, stopWorker } from '../../platform/worker.ts';
import type { Damage } from '../damage.ts';
import type { CheckReply, CheckTask } from './check-thread.ts';

/** The thread that looks through a store once (check-thread.ts), and what it says. */
export class StoreCheck {
  readonly #worker: Worker;

  constructor(entry: URL, file: string, met: (found: Damage) => void, log: Log) {
    const began = performance.now();
    let findings = 0;
    this.#worker = startWorker(entry, { role: 'check', file } satisfies CheckTask);
    this.#worker.on('message', (reply: CheckReply) => {
      if (reply.kind === 'damaged') {
        findings++;
        met(reply.found);
      } else log.info('store_checked', { file, findings, ms: Math.round(performance.now() - began) });
    });
    this.#worker.on('error', (error) => {
      // A store that cannot be looked through at all is as damaged as one of which a table cannot.
      met({ kind: 'database', id: 'check', why: `The store could not be looked through: ${error.message}` });
    });
  }

  /** Waits for the table that is being looked at. */
  stop(): Promise<void> {
    return stopWorker(this.#worker, 'stop');
  }
}

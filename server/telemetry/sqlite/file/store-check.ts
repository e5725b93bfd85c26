import type { Log } from '../../../platform/log.ts';
import { startThread, stopThread, type Thread } from '../../../platform/thread.ts';
import type { Damage } from '../../damage.ts';
import type { CheckProtocol } from './check-thread.ts';

/** Runs the store check (check-thread.ts) in a thread. */
export class StoreCheck {
  readonly #thread: Thread<CheckProtocol>;

  constructor(entry: URL, file: string, onDamage: (damage: Damage) => void, log: Log) {
    const began = performance.now();
    let findings = 0;
    this.#thread = startThread<CheckProtocol>(entry, { role: 'check', file });
    this.#thread.on('message', (reply) => {
      if (reply.kind === 'damaged') {
        findings++;
        onDamage(reply.found);
      } else log.info('store_checked', { file, findings, ms: Math.round(performance.now() - began) });
    });
    this.#thread.on('error', (error) => {
      // A store that cannot be checked at all counts as damaged, like one with a table that cannot be checked.
      onDamage({ kind: 'database', id: 'check', why: `The store could not be checked: ${error.message}` });
    });
  }

  /** Waits for the current table. */
  stop(): Promise<void> {
    return stopThread(this.#thread, 'stop');
  }
}

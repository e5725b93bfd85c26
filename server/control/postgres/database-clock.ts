/**
 * The time of the database, by which gateways on several machines agree on when a lease, an invitation or a code ends. Every transaction begins
 * with it; in between, the clock of the machine is corrected by the difference that was last found.
 */
import { type Clock, systemClock } from '../../platform/clock.ts';
import { StorageError } from '../../telemetry/storage-error.ts';

/** Query for the time, in milliseconds since the epoch. */
export const timeSql = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms';

/** An answer that took longer says too little, and a smaller difference is as likely the delay of an answer. */
const delayMaxMs = 1_000;
/** Logins and requests to other services are valid by the clock of the machine. */
const differenceMaxMs = 60_000;

export class DatabaseClock implements Clock {
  readonly #clock: Clock;
  readonly #machine: Clock;
  /** By how much the database is ahead of the machine. */
  #aheadMs = 0;

  /**
   * @param clock to which the difference between the database and the machine is added
   * @param machine the clock that the difference is measured with
   */
  constructor(clock: Clock, machine: Clock = systemClock) {
    this.#clock = clock;
    this.#machine = machine;
  }

  now(): number {
    return this.#clock.now() + this.#aheadMs;
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  /** Asks with a query, and learns from the answer. @param ask whose answer ends with the time */
  async learn(ask: () => Promise<{ ms: number } | undefined>): Promise<void> {
    const askedMs = this.#machine.monotonic();
    const answer = await ask();
    if (!answer || this.#machine.monotonic() - askedMs > delayMaxMs) return;
    const aheadMs = Math.round(answer.ms - this.#machine.now());
    this.#aheadMs = Math.abs(aheadMs) < delayMaxMs ? 0 : aheadMs;
  }

  /** @throws StorageError when the clocks differ by more than a minute */
  requireNearMachine(): void {
    const seconds = Math.round(Math.abs(this.#aheadMs) / 1000);
    const where = this.#aheadMs > 0 ? 'behind' : 'ahead of';
    if (Math.abs(this.#aheadMs) > differenceMaxMs)
      throw new StorageError('io', `the clock of this machine is ${seconds} s ${where} the database's`);
  }
}

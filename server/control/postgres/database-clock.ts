/**
 * The time of the database, by which gateways on several machines agree on when a lease, an invitation or a code ends. It is asked for
 * again when a minute has passed, and counted on in between; a machine whose clock is set meanwhile changes nothing.
 */
import type { Pool } from 'pg';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { StorageError } from '../../telemetry/storage-error.ts';

const intervalMs = 60_000;
/** Less is as likely the delay of the answer, and harms nothing. */
const ignoredMs = 100;
/** Logins and requests to other services are valid by the clock of the machine. */
const differenceMaxMs = 60_000;

export class DatabaseClock implements Clock {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #machine: Clock;
  /** Time of the database when the monotonic clock of the machine was 0. */
  #originMs = 0;
  #nextMs = 0;

  private constructor(pool: Pool, clock: Clock, machine: Clock) {
    this.#pool = pool;
    this.#clock = clock;
    this.#machine = machine;
  }

  /**
   * @param clock to which the difference between the database and the machine is added
   * @param machine the clock that the difference is measured with
   * @throws StorageError when the clocks differ by more than a minute
   */
  static async open(pool: Pool, clock: Clock, machine: Clock = systemClock): Promise<DatabaseClock> {
    const opened = new DatabaseClock(pool, clock, machine);
    await opened.#ask();
    const seconds = Math.round(opened.#aheadMs / 1000);
    if (Math.abs(opened.#aheadMs) > differenceMaxMs)
      throw new StorageError(
        'io',
        `the clock of this machine is ${Math.abs(seconds)} s ${seconds > 0 ? 'behind' : 'ahead of'} the database's`,
      );
    return opened;
  }

  now(): number {
    // A database that does not answer has not changed its clock.
    if (this.#machine.monotonic() > this.#nextMs) void this.#ask().catch(() => {});
    const aheadMs = this.#aheadMs;
    return this.#clock.now() + (Math.abs(aheadMs) < ignoredMs ? 0 : Math.round(aheadMs));
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  /** By how much the database is ahead of the machine. */
  get #aheadMs(): number {
    return this.#originMs + this.#machine.monotonic() - this.#machine.now();
  }

  async #ask(): Promise<void> {
    const askedMs = this.#machine.monotonic();
    this.#nextMs = askedMs + intervalMs;
    const { rows } = await this.#pool.query<{ ms: string }>('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms');
    const answeredMs = this.#machine.monotonic();
    this.#originMs = Number(rows[0]?.ms) - (askedMs + answeredMs) / 2;
  }
}

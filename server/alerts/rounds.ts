/**
 * Schedule of evaluation and delivery. Of all gateways that share a control store only the holder of the lease works; it renews the lease with
 * each round, and if it stops, another gateway takes over within minutes.
 */
import { randomUUID } from 'node:crypto';
import type { AlertWatch } from '../control/alert-watch.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { AlertDispatcher } from './dispatcher.ts';
import type { AlertEvaluator } from './evaluator.ts';

const roundMs = 5_000;
const evaluateEveryMs = 60_000;
/** Longer than the slowest round, so that a working holder does not lose it. */
const leaseMs = 180_000;

export class AlertRounds {
  readonly #holder = randomUUID();
  readonly #watch: AlertWatch;
  readonly #evaluator: AlertEvaluator;
  readonly #dispatcher: AlertDispatcher;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #log: Log;
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #evaluatedMs = Number.NEGATIVE_INFINITY;

  constructor(watch: AlertWatch, evaluator: AlertEvaluator, dispatcher: AlertDispatcher, clock: Pick<Clock, 'monotonic'>, log: Log) {
    this.#watch = watch;
    this.#evaluator = evaluator;
    this.#dispatcher = dispatcher;
    this.#clock = clock;
    this.#log = log;
  }

  start(everyMs = roundMs): void {
    const wait = () => {
      if (!this.#stop.signal.aborted) this.#timer = setTimeout(next, everyMs).unref();
    };
    const next = () => {
      this.#running = this.round().finally(wait);
    };
    wait();
  }

  /** Evaluates and delivers. Never rejects; failures wait for the next round. */
  async round(): Promise<void> {
    try {
      if (!(await this.#watch.takeLease(this.#holder, leaseMs))) return;
      if (this.#clock.monotonic() - this.#evaluatedMs >= evaluateEveryMs) {
        this.#evaluatedMs = this.#clock.monotonic();
        await this.#evaluator.evaluate(this.#holder, this.#stop.signal);
      }
      await this.#dispatcher.deliver(this.#stop.signal);
    } catch (error) {
      this.#log.error('alert_round_failed', { reason: String(error) });
    }
  }

  /** Ends the current round and releases the lease. Never rejects: a lease that cannot be released expires. */
  async stop(): Promise<void> {
    this.#stop.abort();
    if (this.#timer) clearTimeout(this.#timer);
    await this.#running;
    try {
      await this.#watch.releaseLease(this.#holder);
    } catch (error) {
      this.#log.error('alert_lease_kept', { reason: String(error) });
    }
  }
}

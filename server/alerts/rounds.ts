/** Schedule of evaluation and delivery. Of all gateways that share a control store only the holder of the lease works. */
import type { Lease, Leases } from '../jobs/lease.ts';
import { Schedule } from '../jobs/schedule.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { AlertDispatcher } from './dispatcher.ts';
import type { AlertEvaluator } from './evaluator.ts';

export interface RoundTimes {
  /** Pause between two rounds. */
  roundMs?: number;
  /** Smallest pause between two evaluations. */
  evaluateEveryMs?: number;
}

const standard: Required<RoundTimes> = { roundMs: 5_000, evaluateEveryMs: 60_000 };

export class AlertRounds {
  readonly #leases: Leases;
  readonly #evaluator: AlertEvaluator;
  readonly #dispatcher: AlertDispatcher;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #times: Required<RoundTimes>;
  readonly #schedule: Schedule;
  readonly #stop = new AbortController();
  #lease: Lease | null = null;
  #evaluatedMs = Number.NEGATIVE_INFINITY;

  constructor(
    leases: Leases,
    { evaluator, dispatcher }: { evaluator: AlertEvaluator; dispatcher: AlertDispatcher },
    clock: Pick<Clock, 'monotonic'>,
    log: Log,
    times: RoundTimes = {},
  ) {
    this.#leases = leases;
    this.#evaluator = evaluator;
    this.#dispatcher = dispatcher;
    this.#clock = clock;
    this.#times = { ...standard, ...times };
    this.#schedule = new Schedule(
      () => this.round(),
      this.#times.roundMs,
      (error) => log.error('alert_round_failed', { reason: String(error) }),
    );
  }

  start(): this {
    this.#schedule.start();
    return this;
  }

  /** Evaluates and delivers. Failures wait for the next round. */
  async round(): Promise<void> {
    if (this.#lease?.lost.aborted) this.#lease = null;
    this.#lease ??= await this.#leases.claim('alerts');
    if (!this.#lease) return;
    const { claim, lost } = this.#lease;
    const stop = AbortSignal.any([this.#stop.signal, lost]);
    if (this.#clock.monotonic() - this.#evaluatedMs >= this.#times.evaluateEveryMs) {
      this.#evaluatedMs = this.#clock.monotonic();
      await this.#evaluator.evaluate(claim, stop);
    }
    await this.#dispatcher.deliver(claim, stop);
  }

  /** Ends the current round and releases the lease. Never rejects. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#schedule.stop();
    await this.#dispatcher.settled();
    if (this.#lease) await this.#leases.release(this.#lease.claim);
  }
}

/** Empties the outbox of alerts: sends each notice until it arrives or its attempts are used up. Nothing is lost in a restart. */
import type { AlertWatch, Attempt, PendingDelivery } from '../control/alert-watch.ts';
import type { Claim } from '../control/lease-store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { AlertSender } from './sender.ts';

const noticesAtOnce = 64;
/** Pauses after the first, second and third attempt; the fourth is the last. */
const retryPausesMs = [10_000, 60_000, 300_000];
const retryAfterMsMax = 3_600_000;
/** A waiting notice is sent again. */
const results = ['delivered', 'waiting', 'failed', 'blocked', 'skipped'] as const;

export class AlertDispatcher {
  readonly #watch: AlertWatch;
  readonly #sender: AlertSender;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #attempts = new Map<Attempt['state'], number>(results.map((result) => [result, 0]));

  constructor(watch: AlertWatch, sender: AlertSender, clock: Clock, log: Log) {
    this.#watch = watch;
    this.#sender = sender;
    this.#clock = clock;
    this.#log = log;
  }

  /** Attempts since the start, by result. */
  get attempts(): ReadonlyMap<string, number> {
    return this.#attempts;
  }

  /** Sends due notices. One aborted by `stop` stays due: it may arrive twice, with the same id, but is never lost. */
  async deliver(claim: Claim, stop?: AbortSignal): Promise<void> {
    await this.#watch.gather(claim);
    const due = await this.#watch.due(noticesAtOnce);
    await Promise.all(due.map((pending) => this.#send(claim, pending, stop)));
  }

  async #send(claim: Claim, pending: PendingDelivery, stop?: AbortSignal): Promise<void> {
    try {
      const { state, answer, retryAfterSeconds } = await this.#sender.send(pending.scope, pending, pending.id, stop);
      if (stop?.aborted && state === 'waiting') return;
      const attempt = state === 'waiting' ? this.#retryOf(pending, answer, retryAfterSeconds) : { state, answer, next_ms: null };
      await this.#watch.recordAttempt(claim, pending.id, attempt);
      this.#attempts.set(attempt.state, (this.#attempts.get(attempt.state) ?? 0) + 1);
    } catch (error) {
      this.#log.error('alert_not_sent', { delivery: pending.id, reason: String(error) });
    }
  }

  #retryOf({ attempts }: PendingDelivery, answer: string | null, retryAfterSeconds: number | null): Attempt {
    const pauseMs = retryPausesMs[attempts];
    if (pauseMs === undefined) return { state: 'failed', answer, next_ms: null };
    const retryAfterMs = Math.min((retryAfterSeconds ?? 0) * 1000, retryAfterMsMax);
    return { state: 'waiting', answer, next_ms: this.#clock.now() + Math.max(pauseMs, retryAfterMs) };
  }
}

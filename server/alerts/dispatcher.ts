/** Empties the outbox of alerts: each notice until it arrived, or was tried often enough. Nothing is forgotten over a restart. */
import type { AlertWatch, Attempt, PendingDelivery } from '../control/alert-watch.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { AlertSender } from './sender.ts';

const noticesAtOnce = 32;
/** After the first attempt, and after each of the three others but the last. */
const waitsMs = [10_000, 60_000, 300_000];
const askedWaitMsMax = 3_600_000;

export class AlertDispatcher {
  readonly #watch: AlertWatch;
  readonly #sender: AlertSender;
  readonly #clock: Clock;
  readonly #log: Log;

  constructor(watch: AlertWatch, sender: AlertSender, clock: Clock, log: Log) {
    this.#watch = watch;
    this.#sender = sender;
    this.#clock = clock;
    this.#log = log;
  }

  /** Sends due notices. A sending aborted by `stop` stays due: it may arrive twice, with the same id, but is never lost. */
  async deliver(stop?: AbortSignal): Promise<void> {
    const due = await this.#watch.due(noticesAtOnce);
    await Promise.all(due.map((pending) => this.#send(pending, stop)));
  }

  async #send(pending: PendingDelivery, stop?: AbortSignal): Promise<void> {
    try {
      const { state, answer, retryAfterSeconds } = await this.#sender.send(pending.scope, pending, pending.id, stop);
      if (stop?.aborted && state === 'waiting') return;
      await this.#watch.note(
        pending.id,
        state === 'waiting' ? this.#again(pending, answer, retryAfterSeconds) : { state, answer, next_ms: null },
      );
    } catch (error) {
      this.#log.error('alert_not_sent', { delivery: pending.id, reason: String(error) });
    }
  }

  #again({ attempts }: PendingDelivery, answer: string | null, askedSeconds: number | null): Attempt {
    const wait = waitsMs[attempts];
    if (wait === undefined) return { state: 'failed', answer, next_ms: null };
    const asked = Math.min((askedSeconds ?? 0) * 1000, askedWaitMsMax);
    return { state: 'waiting', answer, next_ms: this.#clock.now() + Math.max(wait, asked) };
  }
}

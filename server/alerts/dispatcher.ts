/** Empties the outbox of alerts: sends each notice until it arrives or its attempts are used up. Nothing is lost in a restart. */
import type { AlertWatch, Attempt, PendingDelivery } from '../control/alert-watch.ts';
import type { Claim } from '../control/lease-store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { AlertSender } from './sender.ts';

const startedMax = 64;
/** On their way at once. One that hangs is given up after ten seconds, an e-mail after twenty. */
const onTheirWay = { all: 256, tenant: 32 };
/** A round does not wait longer than this for receivers that are slow. */
const standardPatienceMs = 1000;
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
  readonly #patienceMs: number;
  /** By the id of the group, with its tenant. */
  readonly #sending = new Map<string, { tenantId: string; sent: Promise<void> }>();
  readonly #attempts = new Map<Attempt['state'], number>(results.map((result) => [result, 0]));

  constructor(watch: AlertWatch, sender: AlertSender, clock: Clock, log: Log, patienceMs = standardPatienceMs) {
    this.#patienceMs = patienceMs;
    this.#watch = watch;
    this.#sender = sender;
    this.#clock = clock;
    this.#log = log;
  }

  /** Attempts since the start, by result. */
  get attempts(): ReadonlyMap<string, number> {
    return this.#attempts;
  }

  /**
   * Sends due notices. Those to slow receivers go on afterwards. One aborted by `stop` stays due: it may arrive twice, with the same id, but is
   * never lost.
   */
  async deliver(claim: Claim, stop?: AbortSignal): Promise<void> {
    await this.#watch.gather(claim);
    const sending = this.#sending;
    const free = Math.min(startedMax, onTheirWay.all - sending.size);
    if (free <= 0) return;
    const due = await this.#watch.due(free + sending.size);
    for (const pending of due) {
      const tenantId = pending.scope.tenant_id;
      const ofTenant = [...sending.values()].filter((each) => each.tenantId === tenantId).length;
      if (sending.has(pending.id) || ofTenant >= onTheirWay.tenant || sending.size >= onTheirWay.all) continue;
      const sent = this.#send(claim, pending, stop).finally(() => sending.delete(pending.id));
      sending.set(pending.id, { tenantId, sent });
    }
    const patience = Promise.withResolvers<void>();
    const timer = setTimeout(patience.resolve, this.#patienceMs);
    await Promise.race([this.settled(), patience.promise]);
    clearTimeout(timer);
  }

  /** Resolves when nothing is on its way. */
  async settled(): Promise<void> {
    await Promise.all([...this.#sending.values()].map(({ sent }) => sent));
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

/**
 * Sends the outbox of one destination, one batch at a time, oldest first, until it is stopped. Only a verified success counts, and no span is
 * ever dropped. Its state is always known.
 */
import type { Clock } from '../platform/clock.ts';
import type { Batch, Outbox } from './outbox.ts';
import { type CloudAnswer, type PauseReason, type Verdict, verdictOf } from './verdict.ts';

/** `store`: the outbox cannot be read. */
type WaitReason = 'offline' | 'portal' | 'server_error' | 'slowed' | 'quota' | 'store';

/** Reason why nothing gets through, kept across restarts. */
export interface Standing {
  state: Extract<SendState, { is: 'waiting' | 'paused' }>;
  /** Since the last success. */
  failures: number;
}

export type SendState =
  | { is: 'up_to_date' }
  | { is: 'sending' }
  /** Since when nothing gets through, and when it is tried again (milliseconds since the epoch). */
  | { is: 'waiting'; why: WaitReason; message: string; since_ms: number; until_ms: number }
  | { is: 'paused'; reason: PauseReason; message: string; since_ms: number; until_ms: number | null };

export interface SenderParts {
  outbox: Outbox;
  post(batch: Batch): Promise<CloudAnswer>;
  clock: Clock;
  /** Resolves after so long, or at once when woken. Rejects when it is over. */
  rest(ms: number): Promise<void>;
  /** Called before a wait after each failure. */
  noted?(standing: Standing): void;
  /** State at the previous stop: without it, a thousand gateways that restart would all retry at once. */
  before?: Standing | null;
  backoff?: Backoff;
}

const messagesMax = 512;
/** Server errors of one batch before the batch itself is suspected. */
const blamesMax = 10;
const foreverMs = 2 ** 31 - 1;
const longestMs = 60 * 60_000;

export class Sender {
  readonly #parts: SenderParts;
  readonly #backoff: Backoff;
  readonly #pace = new Pace();
  #state: SendState = { is: 'up_to_date' };
  /** Number of the next messages among which one cannot be accepted; 0 without suspicion. */
  #suspects = 0;
  /** After `storage full`: a batch with one span tests for free storage. */
  #isProbing = false;
  #blames = 0;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#backoff = parts.backoff ?? new Backoff();
    if (!parts.before) return;
    this.#state = parts.before.state;
    this.#backoff.failures = parts.before.failures;
  }

  get state(): SendState {
    return this.#state;
  }

  /** Sends batches with the necessary waits. Ends only when `rest` rejects. */
  async run(): Promise<never> {
    const { state } = this;
    if (state.is === 'waiting' || state.is === 'paused') await this.#parts.rest(this.#left(state.until_ms));
    for (;;) await this.#parts.rest(await this.#stepOrWait());
  }

  /** Rest of a wait that began before a restart. A clock that was set back does not extend it. */
  #left(until_ms: number | null): number {
    return until_ms === null ? foreverMs : Math.min(Math.max(until_ms - this.#parts.clock.now(), 0), longestMs);
  }

  /** A store that cannot be read now may be later. */
  async #stepOrWait(): Promise<number> {
    try {
      return await this.step();
    } catch (error) {
      return this.#wait('store', error instanceof Error ? error.message : String(error), this.#backoff.next(null));
    }
  }

  /** Sends one batch. @returns wait in milliseconds */
  async step(): Promise<number> {
    const { outbox, post, clock } = this.#parts;
    const batch = await outbox.next(this.#size);
    if (!batch) {
      this.#state = { is: 'up_to_date' };
      return foreverMs;
    }
    // Only removed and retained messages: no request is needed.
    if (batch.count === 0) {
      await outbox.ack(batch, { count: 0, message: '' });
      this.#clear(batch);
      return 0;
    }
    if (this.#state.is === 'up_to_date') this.#state = { is: 'sending' };
    return this.#heed(verdictOf(await post(batch), batch.kind, clock.now()), batch);
  }

  async #heed(verdict: Verdict, batch: Batch): Promise<number> {
    switch (verdict.do) {
      case 'advance':
        await this.#parts.outbox.ack(batch, { count: verdict.refused, message: verdict.message });
        return this.#onTaken(batch);
      case 'split':
        return this.#onBadBatch(batch, verdict.message);
      case 'wait':
        if (verdict.blames && ++this.#blames >= blamesMax) return this.#onBadBatch(batch, verdict.message);
        return this.#wait(verdict.why, verdict.message, this.#backoff.next(verdict.afterMs));
      case 'slow':
        this.#pace.tooSoon();
        return this.#wait('slowed', 'The cloud asks us to go slower', verdict.afterMs);
      case 'probe':
        this.#isProbing = true;
        return this.#wait('quota', verdict.message, verdict.afterMs);
      case 'pause': {
        const now = this.#parts.clock.now();
        const since_ms = this.#state.is === 'paused' && this.#state.reason === verdict.reason ? this.#state.since_ms : now;
        const until_ms = verdict.probeMs === null ? null : now + verdict.probeMs;
        this.#stand({ is: 'paused', reason: verdict.reason, message: verdict.message, since_ms, until_ms });
        return verdict.probeMs ?? foreverMs;
      }
    }
  }

  #onTaken(batch: Batch): number {
    this.#state = { is: 'sending' };
    this.#backoff.reset();
    this.#pace.taken();
    this.#blames = 0;
    this.#isProbing = false;
    this.#clear(batch);
    return this.#pace.gapMs;
  }

  #clear({ messages }: Batch): void {
    this.#suspects = Math.max(0, this.#suspects - messages);
  }

  /**
   * Halves the batch until the message that the cloud cannot accept is alone; it becomes a dead letter, and the others continue. Messages are
   * halved, not spans: the last message of a batch with one span may be a retained one.
   */
  async #onBadBatch(batch: Batch, reason: string): Promise<number> {
    this.#blames = 0;
    this.#suspects = batch.messages > 1 ? batch.messages : 0;
    if (batch.messages === 1) await this.#parts.outbox.deadLetter(batch, reason);
    return 0;
  }

  /** Sends the first half of the suspects; once accepted, the other half contains the culprit. */
  get #size(): number {
    if (this.#isProbing) return 1;
    return this.#suspects === 0 ? messagesMax : Math.max(1, Math.floor(this.#suspects / 2));
  }

  #wait(why: WaitReason, message: string, ms: number): number {
    const now = this.#parts.clock.now();
    const since_ms = this.#state.is === 'waiting' && this.#state.why === why ? this.#state.since_ms : now;
    this.#stand({ is: 'waiting', why, message, since_ms, until_ms: now + ms });
    return ms;
  }

  #stand(state: Standing['state']): void {
    this.#state = state;
    this.#parts.noted?.({ state, failures: this.#backoff.failures });
  }
}

/** Retry delays and sending pace. Uses the monotonic clock. */

const firstMs = 1_000;
const mostMs = 5 * 60_000;
/** Batches in a second. */
const fastest = 50;
const slowest = 0.2;
const fasterBy = 1;

/** Exponential backoff with full jitter, so that thousands of clients do not return together. */
export class Backoff {
  /** Since the last success. */
  failures = 0;
  readonly #random: () => number;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** @param leastMs minimum that the server asked for */
  next(leastMs: number | null): number {
    const bound = Math.min(firstMs * 2 ** Math.min(this.failures++, 32), mostMs);
    return Math.max(Math.round(bound * this.#random()), leastMs ?? 0);
  }

  reset(): void {
    this.failures = 0;
  }
}

/** Pace that increases with each accepted batch, and halves when the cloud asks for less. */
export class Pace {
  #perSecond = fastest;

  get gapMs(): number {
    return 1000 / this.#perSecond;
  }

  taken(): void {
    this.#perSecond = Math.min(this.#perSecond + fasterBy, fastest);
  }

  tooSoon(): void {
    this.#perSecond = Math.max(this.#perSecond / 2, slowest);
  }
}

/**
 * Sends what waits to one destination, one batch at a time, oldest first, until it is told to stop. It believes nothing but a verified
 * success, never gives a span up, and says at any time how it stands.
 */
import type { Clock } from '../platform/clock.ts';
import type { Batch, Outbox } from './outbox.ts';
import { type CloudAnswer, type PauseReason, type Verdict, verdictOf } from './verdict.ts';

/** `store`: what waits could not be read here. */
type WaitReason = 'offline' | 'portal' | 'server_error' | 'slowed' | 'quota' | 'store';

/** Why nothing gets through, as it is kept over a restart. */
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
  /** Is told whenever nothing got through, before it rests. */
  noted?(standing: Standing): void;
  /** How it stood when the gateway was stopped: it does not begin anew, or a thousand gateways that restart would all come at once. */
  before?: Standing | null;
  backoff?: Backoff;
}

const messagesMax = 512;
/** So often the same batch may fail with a server error before it is checked whether the batch is the cause. */
const blamesMax = 10;
const foreverMs = 2 ** 31 - 1;
const longestMs = 60 * 60_000;

export class Sender {
  readonly #parts: SenderParts;
  readonly #backoff: Backoff;
  readonly #pace = new Pace();
  #state: SendState = { is: 'up_to_date' };
  /** So many of the next messages hold one that cannot be taken; 0 when none is suspected. */
  #suspects = 0;
  /** Whether the cloud had no room: it is asked with one span whether it has some now. */
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

  /** Sends what there is, and rests as it must. Ends only with the rejection of `rest`. */
  async run(): Promise<never> {
    const { state } = this;
    if (state.is === 'waiting' || state.is === 'paused') await this.#parts.rest(this.#left(state.until_ms));
    for (;;) await this.#parts.rest(await this.#stepOrWait());
  }

  /** Of a wait that began before a restart. A clock that was set back does not make it longer than any wait is. */
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

  /** One batch. @returns how long to rest, in milliseconds */
  async step(): Promise<number> {
    const { outbox, post, clock } = this.#parts;
    const batch = await outbox.next(this.#size);
    if (!batch) {
      this.#state = { is: 'up_to_date' };
      return foreverMs;
    }
    // Rows that are gone, and what stays here: there is nothing to ask anybody about.
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
   * Halves of it are tried until what cannot be taken stands alone; that becomes a dead letter, and all else goes on. Messages are halved and not spans:
   * the last message of a batch with one span in it may be another that only stays here.
   */
  async #onBadBatch(batch: Batch, reason: string): Promise<number> {
    this.#blames = 0;
    this.#suspects = batch.messages > 1 ? batch.messages : 0;
    if (batch.messages === 1) await this.#parts.outbox.deadLetter(batch, reason);
    return 0;
  }

  /** The first half of the suspects is sent; when it is taken, the other half holds what cannot be. */
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

/** How long to wait, and how fast to go. Monotonic: what the wall clock does changes nothing. */

const firstMs = 1_000;
const mostMs = 5 * 60_000;
/** Batches in a second. */
const fastest = 50;
const slowest = 0.2;
const fasterBy = 1;

/** Waits that grow, each anywhere between nothing and its bound: thousands that lost one server do not all come back at once. */
export class Backoff {
  /** Since the last success. */
  failures = 0;
  readonly #random: () => number;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** @param leastMs what the server asked for */
  next(leastMs: number | null): number {
    const bound = Math.min(firstMs * 2 ** Math.min(this.failures++, 32), mostMs);
    return Math.max(Math.round(bound * this.#random()), leastMs ?? 0);
  }

  reset(): void {
    this.failures = 0;
  }
}

/** Goes a little faster with each batch that was taken, and at half the pace after one that came too soon. */
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

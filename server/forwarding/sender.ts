/**
 * Sends the outbox of one destination, one batch at a time, oldest first, until it is stopped. Only a verified success is acknowledged, and no
 * span is ever dropped.
 */
import type { Clock } from '../platform/clock.ts';
import type { AckResult, ForwardKind } from '../telemetry/forward-store.ts';
import { type CloudAnswer, type PauseReason, type Verdict, verdictOf } from './verdict.ts';

/** Consecutive messages of one kind, ready to be sent. */
export interface Batch {
  kind: ForwardKind;
  /** Ids of the first and the last message. */
  from: number;
  to: number;
  /** Number of messages, including those whose rows were removed and those that are retained. */
  messages: number;
  /** Number of items in the body. */
  count: number;
  /** Ids of the messages that the redaction rules retain. They are acknowledged with the others. */
  retained: readonly number[];
  /** OTLP/JSON, or `{ scores }`, compressed with gzip. */
  body: Uint8Array<ArrayBuffer>;
}

/** Queue of messages, oldest first. */
export interface Outbox {
  /** The oldest batch of at most `messagesMax` messages; null when the outbox is empty. */
  next(messagesMax: number): Promise<Batch | null>;
  /** Resolves when durable: these messages are never sent again. */
  ack(batch: Batch, result: Pick<AckResult, 'count' | 'message'>): Promise<void>;
  /** Moves the last message of a batch, which can never be sent, to the dead letters. Resolves when durable. */
  deadLetter(batch: Batch, reason: string): Promise<void>;
}

/** `store`: the outbox cannot be read. */
type WaitReason = 'offline' | 'portal' | 'server_error' | 'slowed' | 'quota' | 'store';

/** Why sending fails. Stored, so that a restart continues the wait. */
export interface FailureState {
  state: Extract<SendState, { is: 'waiting' | 'paused' }>;
  /** Since the last success. */
  failures: number;
}

export type SendState =
  | { is: 'up_to_date' }
  | { is: 'sending' }
  /** `since_ms`: the first failure. `until_ms`: the next attempt. Both in milliseconds since the epoch. */
  | { is: 'waiting'; why: WaitReason; message: string; since_ms: number; until_ms: number }
  | { is: 'paused'; reason: PauseReason; message: string; since_ms: number; until_ms: number | null };

export interface SenderParts {
  outbox: Outbox;
  post(batch: Batch): Promise<CloudAnswer>;
  clock: Clock;
  /** Resolves after `ms`, or at once when woken. Rejects after a stop. */
  sleep(ms: number): Promise<void>;
  /** Called before a wait after each failure. */
  onFailure?(failure: FailureState): void;
  /** State at the previous stop. Without it, a thousand gateways that restart would all retry at once. */
  previous?: FailureState | null;
  backoff?: Backoff;
}

const messagesMax = 512;
/** Number of server errors after which the batch itself is suspected. */
const serverErrorsMax = 10;
const foreverMs = 2 ** 31 - 1;
const waitMsMax = 60 * 60_000;

export class Sender {
  readonly #parts: SenderParts;
  readonly #backoff: Backoff;
  readonly #pace = new Pace();
  #state: SendState = { is: 'up_to_date' };
  /** Number of the next messages of which at least one cannot be accepted; 0 when none is known. */
  #suspects = 0;
  /** After `storage full`: batches of one span, until one is accepted. */
  #isProbing = false;
  #serverErrors = 0;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#backoff = parts.backoff ?? new Backoff();
    if (!parts.previous) return;
    this.#state = parts.previous.state;
    this.#backoff.failures = parts.previous.failures;
  }

  get state(): SendState {
    return this.#state;
  }

  /** Sends batches with the necessary waits. Ends only when `sleep` rejects. */
  async run(): Promise<never> {
    const { state } = this;
    if (state.is === 'waiting' || state.is === 'paused') await this.#parts.sleep(this.#remainingMs(state.until_ms));
    for (;;) await this.#parts.sleep(await this.#stepOrWait());
  }

  /** Remaining time of a wait that began before a restart. A clock that was set back does not extend it. */
  #remainingMs(until_ms: number | null): number {
    return until_ms === null ? foreverMs : Math.min(Math.max(until_ms - this.#parts.clock.now(), 0), waitMsMax);
  }

  /** Waits when the store cannot be read. */
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
    const batch = await outbox.next(this.#batchSize);
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
    return this.#apply(verdictOf(await post(batch), batch.kind, clock.now()), batch);
  }

  async #apply(verdict: Verdict, batch: Batch): Promise<number> {
    switch (verdict.do) {
      case 'advance':
        await this.#parts.outbox.ack(batch, { count: verdict.refused, message: verdict.message });
        return this.#onAccepted(batch);
      case 'split':
        return this.#onBadBatch(batch, verdict.message);
      case 'wait':
        if (verdict.blamesBatch && ++this.#serverErrors >= serverErrorsMax) return this.#onBadBatch(batch, verdict.message);
        return this.#wait(verdict.why, verdict.message, this.#backoff.next(verdict.afterMs));
      case 'slow':
        this.#pace.slowDown();
        return this.#wait('slowed', 'The cloud asks us to go slower', verdict.afterMs);
      case 'probe':
        this.#isProbing = true;
        return this.#wait('quota', verdict.message, verdict.afterMs);
      case 'pause': {
        const now = this.#parts.clock.now();
        const since_ms = this.#state.is === 'paused' && this.#state.reason === verdict.reason ? this.#state.since_ms : now;
        const until_ms = verdict.probeMs === null ? null : now + verdict.probeMs;
        this.#fail({ is: 'paused', reason: verdict.reason, message: verdict.message, since_ms, until_ms });
        return verdict.probeMs ?? foreverMs;
      }
    }
  }

  #onAccepted(batch: Batch): number {
    this.#state = { is: 'sending' };
    this.#backoff.reset();
    this.#pace.speedUp();
    this.#serverErrors = 0;
    this.#isProbing = false;
    this.#clear(batch);
    return this.#pace.gapMs;
  }

  #clear({ messages }: Batch): void {
    this.#suspects = Math.max(0, this.#suspects - messages);
  }

  /**
   * Halves the batch until it is the one message that the cloud cannot accept. That becomes a dead letter, and the others are sent. Halves the
   * number of messages, not of spans: the last message of a batch with one span may be a retained one.
   */
  async #onBadBatch(batch: Batch, reason: string): Promise<number> {
    this.#serverErrors = 0;
    this.#suspects = batch.messages > 1 ? batch.messages : 0;
    if (batch.messages === 1) await this.#parts.outbox.deadLetter(batch, reason);
    return 0;
  }

  /** Half of the suspects; once they are accepted, the other half contains the bad message. */
  get #batchSize(): number {
    if (this.#isProbing) return 1;
    return this.#suspects === 0 ? messagesMax : Math.max(1, Math.floor(this.#suspects / 2));
  }

  #wait(why: WaitReason, message: string, ms: number): number {
    const now = this.#parts.clock.now();
    const since_ms = this.#state.is === 'waiting' && this.#state.why === why ? this.#state.since_ms : now;
    this.#fail({ is: 'waiting', why, message, since_ms, until_ms: now + ms });
    return ms;
  }

  #fail(state: FailureState['state']): void {
    this.#state = state;
    this.#parts.onFailure?.({ state, failures: this.#backoff.failures });
  }
}

const backoffMs = { first: 1_000, max: 5 * 60_000 } as const;
/** In batches per second. */
const pace = { max: 50, min: 0.2, step: 1 } as const;

/** Exponential backoff with full jitter, so that thousands of clients do not return together. */
export class Backoff {
  /** Since the last success. */
  failures = 0;
  readonly #random: () => number;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** @param msMin minimum that the server asked for; null for none */
  next(msMin: number | null): number {
    const bound = Math.min(backoffMs.first * 2 ** Math.min(this.failures++, 32), backoffMs.max);
    return Math.max(Math.round(bound * this.#random()), msMin ?? 0);
  }

  reset(): void {
    this.failures = 0;
  }
}

/** Pace that increases with each accepted batch, and halves when the cloud asks for less. */
export class Pace {
  #perSecond: number = pace.max;

  get gapMs(): number {
    return 1000 / this.#perSecond;
  }

  speedUp(): void {
    this.#perSecond = Math.min(this.#perSecond + pace.step, pace.max);
  }

  slowDown(): void {
    this.#perSecond = Math.max(this.#perSecond / 2, pace.min);
  }
}

/** Forwards the telemetry of a store to one cloud while it runs: reads its outbox there, posts each batch, and acknowledges what was accepted. */
import type { Clock } from '../platform/clock.ts';
import type { Scope } from '../platform/scope.ts';
import type { AckResult, ForwardKind } from '../telemetry/forward-store.ts';
import type { LocalTelemetryStore } from '../telemetry/local-telemetry-store.ts';
import type { CloudLine } from './cloud-line.ts';
import { asksOrigin, noRedactionSetting, type Redaction } from './redaction.ts';
import type { RedactionSetting } from './redaction-thread.ts';
import { type Batch, type FailureState, type Outbox, Sender, type SendState } from './sender.ts';
import { codeOf } from './verdict.ts';

const pathOf: Record<ForwardKind, string> = { spans: '/v1/traces', logs: '/v1/logs', scores: '/v1/scores/batch' };
/** Longest wait while nothing is queued: scores do not wake the sender. */
const pollMs = 10_000;

interface ForwarderParts {
  telemetry: Pick<LocalTelemetryStore, 'forwarding' | 'redaction' | 'follow'>;
  redaction: Redaction;
  scope: Scope;
  /** Name of the destination in the store. */
  name: string;
  line: CloudLine;
  clock: Clock;
  /** Names this store to the cloud; the destination's name when absent. */
  sender?: string;
  /** Redaction rules; absent: everything is sent unchanged. */
  setting?: RedactionSetting;
  /** Like `setTimeout`; returns a cancel function. */
  after?: (ms: number, done: () => void) => () => void;
  /** State at the previous stop. */
  previous?: FailureState | null;
  /** Called when nothing got through, with a code for support: `401 unauthorized`, `ECONNREFUSED`. */
  onFailure?: (failure: FailureState, code: string) => void;
}

const realTime = (ms: number, done: () => void) => {
  const timer = setTimeout(done, ms);
  return () => clearTimeout(timer);
};

export class Forwarder {
  readonly #parts: ForwarderParts;
  readonly #sender: Sender;
  readonly #stopping = new AbortController();
  readonly #outbox: StoreOutbox;
  /** Of the newest answer. */
  #code = '';
  #wake: () => void = () => {};
  #isWoken = false;
  #done: Promise<void> = Promise.resolve();
  #unfollow: () => void = () => {};

  constructor(parts: ForwarderParts) {
    this.#parts = parts;
    this.#outbox = new StoreOutbox({ ...parts, setting: parts.setting ?? noRedactionSetting });
    this.#sender = new Sender({
      outbox: this.#outbox,
      post: (batch) => this.#post(batch),
      clock: parts.clock,
      sleep: (ms) => this.#sleep(ms),
      previous: parts.previous ?? null,
      // A request that `stop` aborted is not a failure of the cloud.
      onFailure: (failure) => this.#stopping.signal.aborted || parts.onFailure?.(failure, this.#code),
    });
  }

  get state(): SendState {
    return this.#sender.state;
  }

  /** Average of the last ten seconds. */
  get spansPerSecond(): number {
    return this.#outbox.rate.perSecond;
  }

  start(): this {
    this.#unfollow = this.#parts.telemetry.follow(() => {
      if (this.#sender.state.is === 'up_to_date') this.wake();
    });
    this.#done = this.#sender.run().catch((error: unknown) => {
      if (!this.#stopping.signal.aborted) throw error;
    });
    return this;
  }

  /** Ends a wait, whatever its reason. */
  wake(): void {
    this.#isWoken = true;
    this.#wake();
  }

  /** Aborts the running request: an unconfirmed batch is sent again. */
  async stop(): Promise<void> {
    this.#unfollow();
    this.#stopping.abort();
    this.#parts.line.close();
    this.#wake();
    await this.#done;
  }

  async #post(batch: Batch) {
    this.#stopping.signal.throwIfAborted();
    const { line, name, sender = name } = this.#parts;
    const answer = await line.post(pathOf[batch.kind], batch.body, `${sender}:${batch.from}-${batch.to}`);
    this.#code = codeOf(answer);
    this.#outbox.receipt = (answer.kind === 'answered' && answer.requestId) || '';
    return answer;
  }

  async #sleep(ms: number): Promise<void> {
    if (!this.#isWoken && !this.#stopping.signal.aborted) {
      const msMax = this.#sender.state.is === 'up_to_date' ? pollMs : Number.POSITIVE_INFINITY;
      const { after = realTime } = this.#parts;
      let cancel = () => {};
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        cancel = after(Math.min(ms, msMax), resolve);
      });
      cancel();
    }
    this.#isWoken = false;
    this.#stopping.signal.throwIfAborted();
  }
}

interface OutboxParts extends Pick<ForwarderParts, 'redaction' | 'scope' | 'name'> {
  telemetry: Pick<LocalTelemetryStore, 'forwarding' | 'redaction'>;
  setting: RedactionSetting;
  clock: Pick<Clock, 'monotonic'>;
}

/** Reads raw batches from the store and has them redacted. Tokens and damaged messages are stored before the batch can be sent. */
export class StoreOutbox implements Outbox {
  readonly rate: Rate;
  /** Request id that the cloud returned for the newest batch. */
  receipt = '';
  readonly #parts: OutboxParts;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    this.rate = new Rate(parts.clock);
  }

  async next(messagesMax: number): Promise<Batch | null> {
    const { telemetry, redaction, scope, name, setting } = this.#parts;
    const found = await telemetry.forwarding.next(scope, name, messagesMax, asksOrigin(setting.policy));
    if (!found) return null;
    const { batch, tokens, damaged } = await redaction.batch(name, found, setting);
    if (tokens.length > 0) await telemetry.redaction.keepTokens(scope, tokens);
    for (const { message, reason } of damaged) await telemetry.forwarding.deadLetter(scope, name, message, reason);
    return batch;
  }

  async ack({ kind, to, count, retained }: Batch, result: Pick<AckResult, 'count' | 'message'>): Promise<void> {
    const { telemetry, scope, name } = this.#parts;
    const outcome = { ...result, receipt: this.receipt };
    await telemetry.forwarding.ack(scope, name, to, kind === 'spans' ? { ...outcome, sent: count, retained } : outcome);
    if (kind === 'spans') this.rate.count(count);
  }

  deadLetter({ to }: Batch, reason: string): Promise<void> {
    const { telemetry, scope, name } = this.#parts;
    return telemetry.forwarding.deadLetter(scope, name, to, reason);
  }
}

const windowMs = 10_000;

/** Items per second, averaged over the last ten seconds. */
export class Rate {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #counts: { at: number; count: number }[] = [];

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  count(count: number): void {
    this.#removeOld();
    this.#counts.push({ at: this.#clock.monotonic(), count });
  }

  get perSecond(): number {
    this.#removeOld();
    return this.#counts.reduce((sum, { count }) => sum + count, 0) / (windowMs / 1000);
  }

  #removeOld(): void {
    const since = this.#clock.monotonic() - windowMs;
    this.#counts = this.#counts.filter(({ at }) => at > since);
  }
}

/** Forwards the telemetry of a store to one cloud, while it runs. */
import type { Clock } from '../platform/clock.ts';
import type { Scope } from '../platform/scope.ts';
import type { ForwardKind } from '../telemetry/forward-store.ts';
import type { TelemetryStore } from '../telemetry/store.ts';
import type { CloudLine } from './cloud-line.ts';
import { type Batch, type Outbox, StoreOutbox } from './outbox.ts';
import { Rate } from './rate.ts';
import { noRedactionSetting, type Redaction } from './redaction.ts';
import type { RedactionSetting } from './redaction-thread.ts';
import { Sender, type SendState, type Standing } from './sender.ts';
import { codeOf } from './verdict.ts';

const pathOf: Record<ForwardKind, string> = { spans: '/v1/traces', logs: '/v1/logs', scores: '/v1/scores/batch' };
/** Scores alone do not wake the sender, so it polls. */
const looksMs = 10_000;

interface ForwarderParts {
  telemetry: Pick<TelemetryStore, 'forwarding' | 'redaction' | 'follow'>;
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
  /** How it stood when it was stopped. */
  before?: Standing | null;
  /** Called when nothing got through, with a code for support: `401 unauthorized`, `ECONNREFUSED`. */
  noted?: (standing: Standing, code: string) => void;
}

const realTime = (ms: number, done: () => void) => {
  const timer = setTimeout(done, ms);
  return () => clearTimeout(timer);
};

export class Forwarder {
  readonly #parts: ForwarderParts;
  readonly #sender: Sender;
  readonly #stopping = new AbortController();
  readonly #rate: Rate;
  #code = '';
  #receipt = '';
  #wake: () => void = () => {};
  #isWoken = false;
  #done: Promise<void> = Promise.resolve();
  #unfollow: () => void = () => {};

  constructor(parts: ForwarderParts) {
    this.#parts = parts;
    this.#rate = new Rate(parts.clock);
    this.#sender = new Sender({
      outbox: this.#outbox(),
      post: (batch) => this.#post(batch),
      clock: parts.clock,
      rest: (ms) => this.#rest(ms),
      before: parts.before ?? null,
      // A request aborted by our stop is no failure of the cloud.
      noted: (standing) => this.#stopping.signal.aborted || parts.noted?.(standing, this.#code),
    });
  }

  get state(): SendState {
    return this.#sender.state;
  }

  /** Spans in a second, of late. */
  get spansPerSecond(): number {
    return this.#rate.perSecond;
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

  /** Looks again now, whatever it waits for. */
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
    const { line, sender = this.#parts.name } = this.#parts;
    const answer = await line.post(pathOf[batch.kind], batch.body, `${sender}:${batch.from}-${batch.to}`);
    this.#code = codeOf(answer);
    this.#receipt = (answer.kind === 'answered' && answer.requestId) || '';
    return answer;
  }

  async #rest(ms: number): Promise<void> {
    if (!this.#isWoken && !this.#stopping.signal.aborted) {
      const mostMs = this.#sender.state.is === 'up_to_date' ? looksMs : Number.POSITIVE_INFINITY;
      const { after = realTime } = this.#parts;
      let forget = () => {};
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        forget = after(Math.min(ms, mostMs), resolve);
      });
      forget();
    }
    this.#isWoken = false;
    this.#stopping.signal.throwIfAborted();
  }

  #outbox(): Outbox {
    const { telemetry, redaction, scope, name, setting = noRedactionSetting } = this.#parts;
    const outbox = new StoreOutbox({ telemetry, redaction, scope, name, setting });
    return {
      next: (messagesMax) => outbox.next(messagesMax),
      ack: async (batch, result) => {
        await outbox.ack(batch, { ...result, receipt: this.#receipt });
        if (batch.kind === 'spans') this.#rate.count(batch.count);
      },
      deadLetter: (batch, reason) => outbox.deadLetter(batch, reason),
    };
  }
}

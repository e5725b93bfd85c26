/** Forwards what a store takes in to one cloud, for as long as it runs. */
import type { Clock } from '../platform/clock.ts';
import type { Scope } from '../platform/scope.ts';
import type { ForwardBatch } from '../telemetry/forward-store.ts';
import type { TelemetryStore } from '../telemetry/store.ts';
import type { CloudLine } from './cloud-line.ts';
import type { Batch, Outbox } from './outbox.ts';
import { Sender, type SendState } from './sender.ts';

const pathOf: Record<ForwardBatch['kind'], string> = { spans: '/v1/traces', logs: '/v1/logs', scores: '/v1/scores/batch' };

interface ForwarderParts {
  telemetry: Pick<TelemetryStore, 'forwarding' | 'follow'>;
  scope: Scope;
  /** Of the destination, in the store. */
  name: string;
  line: CloudLine;
  clock: Clock;
}

interface KindBatch extends Batch {
  kind: ForwardBatch['kind'];
}

export class Forwarder {
  readonly #parts: ForwarderParts;
  readonly #sender: Sender;
  readonly #stopping = new AbortController();
  #wake: () => void = () => {};
  #isWoken = false;
  #done: Promise<void> = Promise.resolve();
  #unfollow: () => void = () => {};

  constructor(parts: ForwarderParts) {
    this.#parts = parts;
    const { line, clock, name } = parts;
    this.#sender = new Sender({
      outbox: outboxOf(parts),
      post: (batch) => line.post(pathOf[(batch as KindBatch).kind], batch.body, `${name}:${batch.from}-${batch.to}`),
      clock,
      rest: (ms) => this.#rest(ms),
    });
  }

  get state(): SendState {
    return this.#sender.state;
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

  async stop(): Promise<void> {
    this.#unfollow();
    this.#stopping.abort();
    this.#wake();
    await this.#done;
    this.#parts.line.close();
  }

  async #rest(ms: number): Promise<void> {
    if (!this.#isWoken && !this.#stopping.signal.aborted) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, ms);
      });
      clearTimeout(timer);
    }
    this.#isWoken = false;
    this.#stopping.signal.throwIfAborted();
  }
}

function outboxOf({ telemetry: { forwarding }, scope, name }: ForwarderParts): Outbox {
  return {
    next: async (spansMax) => {
      const found = await forwarding.next(scope, name, spansMax);
      if (!found) return null;
      const { batch, body } = found;
      return { kind: batch.kind, from: batch.from, to: batch.to, spans: batch.count, body } as KindBatch;
    },
    letGo: ({ to }, refused) => forwarding.letGo(scope, name, to, refused),
    park: (_, { position, reason }) => forwarding.park(scope, name, position, reason),
  };
}

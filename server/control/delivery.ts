/**
 * Brings what waits in an outbox to another file, which no transaction spans. An entry goes only after it was brought, so that whenever the
 * gateway dies it is brought at least once; whoever takes it must know it again.
 */
import type { Log } from '../platform/log.ts';

const entriesAtOnce = 20;

/** Committed together with what it follows from. An entry MUST stay until it is known to have arrived. */
export interface DeliveryOutbox<E extends { position: number }> {
  /** The first entries behind a position, in order. */
  waiting(after: number, limit: number): Promise<E[]>;
  arrived(position: number): Promise<void>;
}

export interface DeliveryParts<E extends { position: number }> {
  outbox: DeliveryOutbox<E>;
  bring(entry: E): Promise<unknown>;
  /** What the log calls it when something has to wait. */
  event: string;
  log: Log;
  retryMs?: number;
}

export class Delivery<E extends { position: number }> {
  readonly #parts: DeliveryParts<E>;
  #last: Promise<void> = Promise.resolve();
  #retry: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(parts: DeliveryParts<E>) {
    this.#parts = parts;
  }

  /** Resolves when all that was in the outbox before has been tried once. What could not be brought stays there and is tried again. */
  deliver(): Promise<void> {
    this.#last = this.#last.then(() => this.#deliverAll());
    return this.#last;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#retry);
    await this.#last;
  }

  async #deliverAll(): Promise<void> {
    const { outbox } = this.#parts;
    try {
      let entries = await outbox.waiting(0, entriesAtOnce);
      for (let last = entries.at(-1); last; last = entries.at(-1)) {
        for (const entry of entries) await this.#deliverOne(entry);
        entries = await outbox.waiting(last.position, entriesAtOnce);
      }
    } catch (error) {
      this.#tryLater(error);
    }
  }

  /** One entry that cannot be brought does not hold up those behind it. */
  async #deliverOne(entry: E): Promise<void> {
    try {
      await this.#parts.bring(entry);
      await this.#parts.outbox.arrived(entry.position);
    } catch (error) {
      this.#tryLater(error);
    }
  }

  #tryLater(error: unknown): void {
    const { log, event, retryMs = 5000 } = this.#parts;
    log.error(event, { reason: error instanceof Error ? error.message : String(error) });
    clearTimeout(this.#retry);
    if (!this.#isStopped) this.#retry = setTimeout(() => void this.deliver(), retryMs).unref();
  }
}

/**
 * Delivers outbox entries to another database, which no transaction spans. An entry is removed after its delivery, so it is delivered at
 * least once; the receiver must recognise duplicates.
 */
import type { Log } from '../platform/log.ts';

const batchSize = 20;

/** Outbox whose entries are committed with the change that caused them. An entry MUST stay until its delivery is confirmed by `arrived`. */
export interface DeliveryOutbox<E extends { position: number }> {
  /** The first entries after a position, in order. */
  pending(after: number, limit: number): Promise<E[]>;
  arrived(position: number): Promise<void>;
}

export interface DeliveryParts<E extends { position: number }> {
  outbox: DeliveryOutbox<E>;
  deliver(entry: E): Promise<unknown>;
  /** Log event for a delayed delivery. */
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

  /** Resolves after one attempt for every pending entry. Failed entries stay and are retried. */
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
      let entries = await outbox.pending(0, batchSize);
      for (let last = entries.at(-1); last; last = entries.at(-1)) {
        for (const entry of entries) await this.#deliverOne(entry);
        entries = await outbox.pending(last.position, batchSize);
      }
    } catch (error) {
      this.#retryLater(error);
    }
  }

  /** A failing entry does not block the following ones. */
  async #deliverOne(entry: E): Promise<void> {
    try {
      await this.#parts.deliver(entry);
      await this.#parts.outbox.arrived(entry.position);
    } catch (error) {
      this.#retryLater(error);
    }
  }

  #retryLater(error: unknown): void {
    const { log, event, retryMs = 5000 } = this.#parts;
    log.error(event, { reason: error instanceof Error ? error.message : String(error) });
    clearTimeout(this.#retry);
    if (!this.#isStopped) this.#retry = setTimeout(() => void this.deliver(), retryMs).unref();
  }
}

/**
 * Delivers outbox entries to another database, which no transaction spans. Of all gateways one delivers at a time: the one that has the lease.
 * An entry is removed after its delivery, so it is delivered at least once; the receiver must recognise duplicates, which a crash or a lost
 * lease makes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outbox } from '../control/outbox.ts';
import type { Log } from '../platform/log.ts';
import type { Lease, Leases } from './lease.ts';
import { Schedule } from './schedule.ts';

const batchSize = 20;
/** How long a delivery waits for one of another gateway, which may be that of the same entries. */
const wait = { attempts: 40, ms: 50 };
/** A failed entry is tried again after one round, then after two, four, and so on. */
const skippedRoundsMax = 12;

export interface DeliveryParts<E extends { position: number }> {
  /** Of the lease. */
  name: string;
  outbox: Outbox<E>;
  deliver(entry: E): Promise<unknown>;
  leases: Leases;
  /** Log event for a delayed delivery. */
  event: string;
  log: Log;
  /** Pause between two looks for entries that were left behind. */
  everyMs?: number;
}

interface FailedEntry {
  /** How many rounds it waits. */
  rounds: number;
  /** How many of these are left. */
  left: number;
  /** When it was first seen. */
  sinceMs: number;
}

export class Delivery<E extends { position: number }> {
  readonly #parts: DeliveryParts<E>;
  readonly #schedule: Schedule;
  /** By position. */
  #failed = new Map<number, FailedEntry>();
  /** The oldest entry that this gateway has seen wait, and since when. */
  #oldest: { position: number; sinceMs: number } | null = null;

  constructor(parts: DeliveryParts<E>) {
    this.#parts = parts;
    this.#schedule = new Schedule(
      () => this.#round(),
      parts.everyMs ?? 5000,
      (error) => this.#report(error),
    );
  }

  /** Resolves after one attempt for every entry that is pending and has not just failed. Failed entries stay and are retried. */
  deliver(): Promise<void> {
    return this.#schedule.now();
  }

  /** Name of the outbox. */
  get name(): string {
    return this.#parts.name;
  }

  /** How long the oldest entry has waited since this gateway first saw it, ms. 0 when none waits. */
  get waitingMs(): number {
    return this.#oldest ? performance.now() - this.#oldest.sinceMs : 0;
  }

  stop(): Promise<void> {
    return this.#schedule.stop();
  }

  async #round(): Promise<void> {
    const lease = await this.#claim();
    if (!lease) return;
    try {
      await this.#deliverAll(lease);
    } finally {
      await this.#parts.leases.release(lease.claim);
    }
  }

  /** Null when nothing is pending, or a gateway that may have gone has the lease. */
  async #claim(): Promise<Lease | null> {
    const { outbox, leases, name } = this.#parts;
    for (let attempt = 1; attempt <= wait.attempts; attempt++) {
      const [oldest] = await outbox.pending(0, 1);
      this.#oldest = oldest ? { position: oldest.position, sinceMs: this.#firstSeen(oldest.position) } : null;
      if (!oldest) return null;
      const lease = await leases.claim(`outbox/${name}`);
      if (lease) return lease;
      await sleep(wait.ms);
    }
    return null;
  }

  async #deliverAll({ lost }: Lease): Promise<void> {
    const { outbox } = this.#parts;
    const failed = new Map<number, FailedEntry>();
    let entries = await outbox.pending(0, batchSize);
    for (let last = entries.at(-1); last && !lost.aborted; last = entries.at(-1)) {
      for (const entry of entries) {
        const before = this.#failed.get(entry.position);
        if (before && before.left > 0) failed.set(entry.position, { ...before, left: before.left - 1 });
        else if (!(await this.#deliverOne(entry))) {
          const rounds = Math.min(before ? 2 * before.rounds + 1 : 0, skippedRoundsMax);
          failed.set(entry.position, { rounds, left: rounds, sinceMs: this.#firstSeen(entry.position) });
        }
      }
      entries = await outbox.pending(last.position, batchSize);
    }
    const [first] = failed;
    this.#oldest = first ? { position: first[0], sinceMs: first[1].sinceMs } : null;
    this.#failed = failed;
  }

  #firstSeen(position: number): number {
    if (this.#oldest?.position === position) return this.#oldest.sinceMs;
    return this.#failed.get(position)?.sinceMs ?? performance.now();
  }

  /** A failing entry does not block the following ones. */
  async #deliverOne(entry: E): Promise<boolean> {
    try {
      await this.#parts.deliver(entry);
      await this.#parts.outbox.arrived(entry.position);
      return true;
    } catch (error) {
      this.#report(error);
      return false;
    }
  }

  #report(error: unknown): void {
    this.#parts.log.error(this.#parts.event, { reason: error instanceof Error ? error.message : String(error) });
  }
}

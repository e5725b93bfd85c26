/** The parts of the journal that this gateway owns: its share among all that write. */
import type { Leases } from '../jobs/lease.ts';
import { Schedule } from '../jobs/schedule.ts';
import type { Log } from '../platform/log.ts';
import type { OwningWriter } from '../telemetry/store-requests.ts';
import { partCount } from '../telemetry/tenant-parts.ts';
import type { JournalTable } from './journal-table.ts';
import { PartOwner, type Results } from './part-owner.ts';

const balanceMs = 1_000;
/** Entries of another gateway whose notice was lost are found after this long. */
const lookMs = 500;

export interface PartOwnersParts {
  table: JournalTable;
  leases: Leases;
  log: Log;
  /**
   * Opens a writer for a part.
   * @param epoch higher than that of every earlier writer
   */
  openWriter(epoch: number, part: number): OwningWriter;
  onResults(results: Results): void;
}

export class PartOwners {
  readonly #parts: PartOwnersParts;
  readonly #owned = new Map<number, PartOwner>();
  readonly #closing = new Set<Promise<void>>();
  readonly #balancing: Schedule;
  readonly #looking: Schedule;

  constructor(parts: PartOwnersParts) {
    this.#parts = parts;
    const failed = (error: unknown) => parts.log.error('journal_not_owned', { reason: String(error) });
    this.#balancing = new Schedule(() => this.#balance(), balanceMs, failed);
    this.#looking = new Schedule(() => this.#look(), lookMs, failed);
  }

  start(): void {
    void this.#balancing.now();
    this.#looking.start();
  }

  get count(): number {
    return this.#owned.size;
  }

  /** There are new entries. */
  wake(part: number, isAwaited = false): void {
    this.#owned.get(part)?.wake(isAwaited);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#balancing.stop(), this.#looking.stop()]);
    await Promise.all([...this.#owned.values()].map((owner) => this.#release(owner)));
    await Promise.all(this.#closing);
    await this.#parts.table.leave(this.#parts.leases.holder).catch(() => {});
  }

  async #balance(): Promise<void> {
    const { table, leases } = this.#parts;
    for (const owner of [...this.#owned.values()]) if (owner.isLost) await this.#release(owner);
    const share = Math.ceil(partCount / (await table.present(leases.holder)));
    for (const owner of [...this.#owned.values()].slice(share)) await this.#release(owner);
    for (const part of shuffled(partCount)) {
      if (this.#owned.size >= share) return;
      if (!this.#owned.has(part)) await this.#own(part);
    }
  }

  async #own(part: number): Promise<void> {
    const { table, leases, log, openWriter, onResults } = this.#parts;
    const lease = await leases.claim(`journal/${part}`);
    if (!lease) return;
    const epoch = await table.nextEpoch(lease.claim).catch(async (error: unknown) => {
      await leases.release(lease.claim);
      throw error;
    });
    if (epoch === null) return leases.release(lease.claim);
    this.#owned.set(part, new PartOwner({ part, lease, table, writer: openWriter(epoch, part), log, onResults }));
  }

  /** The lease is for others as soon as the running round has ended: what the writer does in the background may take long. */
  async #release(owner: PartOwner): Promise<void> {
    await owner.stop();
    this.#owned.delete(owner.part);
    if (!owner.lease.lost.aborted) await this.#parts.leases.release(owner.lease.claim);
    const closed = owner.close().finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
  }

  async #look(): Promise<void> {
    for (const part of await this.#parts.table.waiting([...this.#owned.keys()])) this.wake(part);
  }
}

/** The numbers below `count`, in random order, so that gateways that start together do not ask for the same ones. */
function shuffled(count: number): number[] {
  return Array.from({ length: count }, (_, number) => ({ number, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ number }) => number);
}

/**
 * Leases of one gateway. It renews all that it holds; when it stops renewing them, however that came about, other gateways take up its work
 * within `leaseMs`.
 */
import { type Claim, type LeaseStore, leaseMs, renewMs } from '../control/lease-store.ts';
import type { Log } from '../platform/log.ts';
import { Schedule } from './schedule.ts';

export interface Lease {
  claim: Claim;
  /** Aborted when another gateway has it, or when its work was ended by somebody else. */
  lost: AbortSignal;
}

/** How long work of a gateway that has gone may wait until another one looks for it. */
const takeOverMs = leaseMs / 2;

export class Leases {
  /** Id of this gateway. */
  readonly holder: string;
  readonly #store: LeaseStore;
  readonly #log: Log;
  readonly #held = new Map<string, { claim: Claim; lost: AbortController }>();
  readonly #renewals: Schedule;

  /** @param holder id that no other gateway has; a process that follows this one after a crash may have the same */
  constructor(store: LeaseStore, holder: string, log: Log) {
    this.#store = store;
    this.holder = holder;
    this.#log = log;
    this.#renewals = new Schedule(
      () => this.renew(),
      renewMs,
      (error) => log.error('leases_not_renewed', { reason: String(error) }),
    );
  }

  /** Releases what an earlier process with the same id held, and starts to renew. */
  async start(): Promise<void> {
    await this.#store.releaseAll(this.holder);
    this.#renewals.start();
  }

  /** Number of leases by kind, which is what their names begin with. */
  held(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const name of this.#held.keys()) {
      const kind = name.split('/')[0] as string;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    return counts;
  }

  /** Null while somebody has it. */
  async claim(name: string): Promise<Lease | null> {
    const claim = await this.#store.claim(name, this.holder);
    return claim && this.keep(claim);
  }

  /** Renews a claim that was stored together with the record of its work, until the store has ended it together with that work. */
  keep(claim: Claim): Lease {
    const held = { claim, lost: new AbortController() };
    this.#held.set(claim.name, held);
    return { claim, lost: held.lost.signal };
  }

  /** Lets others have it. Never rejects: a lease that cannot be released expires. */
  async release(claim: Claim): Promise<void> {
    this.#forget(claim);
    await this.#store.release(claim).catch((error: unknown) => this.#log.error('lease_not_released', { reason: String(error) }));
  }

  /** Extends all leases. Called before expired ones are taken over, so that a gateway that was suspended does not take over its own. */
  async renew(): Promise<void> {
    const before = [...this.#held.values()];
    if (before.length === 0) return;
    const claims = before.map(({ claim }) => claim);
    const kept = new Set(await this.#store.renew(this.holder, claims));
    for (const { claim, lost } of before) {
      if (kept.has(claim)) continue;
      this.#forget(claim);
      lost.abort(new Error('The work has ended, or another gateway has taken it over'));
    }
  }

  /**
   * Schedule of a search for work of gateways that have gone. Its rounds begin with a renewal, so that a gateway that was suspended does not
   * take over its own work.
   * @param event logged when a round fails
   */
  takeOver(event: string, work: () => Promise<void>): Schedule {
    const round = async () => {
      await this.renew();
      await work();
    };
    return new Schedule(round, takeOverMs, (error) => this.#log.error(event, { reason: String(error) }));
  }

  /** Call it when the work has stopped. Never rejects. */
  async stop(): Promise<void> {
    await this.#renewals.stop();
    await this.#store.releaseAll(this.holder).catch((error: unknown) => this.#log.error('leases_not_released', { reason: String(error) }));
  }

  #forget({ name, epoch }: Claim): void {
    if (this.#held.get(name)?.claim.epoch === epoch) this.#held.delete(name);
  }
}

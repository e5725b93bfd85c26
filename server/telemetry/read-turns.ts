/** Which waiting read starts next: tenants are served in turn, and none has all readers to itself once there are several. */
import { type Owner, ReadQueue } from './read-queue.ts';
import { StorageError } from './storage-error.ts';

export interface TurnLimits {
  /** Maximum number of reads of one tenant that run at the same time when there are several tenants. */
  perTenant: number;
  /** Maximum number of reads of one tenant that wait. */
  waitingMax: number;
}

export class ReadTurns<T extends { owner: Owner }> {
  readonly #limits: TurnLimits;
  readonly #queue = new ReadQueue<T>();
  /** Tenant of the first read, and whether another tenant has read since. */
  #firstTenant: Owner = null;
  #hasSeveralTenants = false;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** @throws StorageError `crowded` */
  add(read: T): void {
    const { owner } = read;
    this.#firstTenant ??= owner;
    if (owner !== null && owner !== this.#firstTenant) this.#hasSeveralTenants = true;
    const { waitingMax } = this.#limits;
    if (owner !== null && this.#queue.waiting(owner) >= waitingMax)
      throw new StorageError('crowded', `${waitingMax} reads of this tenant are waiting already`);
    this.#queue.add(read);
  }

  /** @returns whether it was still waiting */
  remove(read: T): boolean {
    return this.#queue.remove(read);
  }

  /** The read that starts next. @param running reads that have not ended */
  take(running: readonly T[]): T | undefined {
    return this.#queue.take((owner) => this.#mayRead(owner, running));
  }

  /** Whether another read may start. */
  has(running: readonly T[]): boolean {
    return this.#queue.has((owner) => this.#mayRead(owner, running));
  }

  removeAll(): T[] {
    return this.#queue.removeAll();
  }

  #mayRead(owner: Owner, running: readonly T[]): boolean {
    if (owner === null || !this.#hasSeveralTenants) return true;
    return running.filter((read) => read.owner === owner).length < this.#limits.perTenant;
  }
}

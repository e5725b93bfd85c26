/** Waiting reads, in a queue for each tenant. Tenants are served in turn, after the gateway's own reads. */

/** Tenant of a read; null for the gateway's own reads. */
export type Owner = string | null;

export class ReadQueue<T extends { owner: Owner }> {
  /** In the order in which they are served next; none is empty. */
  readonly #queues = new Map<Owner, T[]>();

  add(read: T): void {
    const queue = this.#queues.get(read.owner);
    if (queue) queue.push(read);
    else this.#queues.set(read.owner, [read]);
  }

  /** @returns whether it was still waiting */
  remove(read: T): boolean {
    const queue = this.#queues.get(read.owner);
    const at = queue?.indexOf(read) ?? -1;
    if (!queue || at < 0) return false;
    queue.splice(at, 1);
    if (queue.length === 0) this.#queues.delete(read.owner);
    return true;
  }

  /** Next read of an owner that may have a reader now. */
  take(isAllowed: (owner: Owner) => boolean): T | undefined {
    const owner = this.#next(isAllowed);
    const queue = owner === undefined ? undefined : this.#queues.get(owner);
    if (owner === undefined || !queue) return undefined;
    const read = queue.shift();
    // Moves the owner to the end of the order.
    this.#queues.delete(owner);
    if (queue.length > 0) this.#queues.set(owner, queue);
    return read;
  }

  has(isAllowed: (owner: Owner) => boolean): boolean {
    return this.#next(isAllowed) !== undefined;
  }

  waiting(owner: Owner): number {
    return this.#queues.get(owner)?.length ?? 0;
  }

  removeAll(): T[] {
    const all = [...this.#queues.values()].flat();
    this.#queues.clear();
    return all;
  }

  #next(isAllowed: (owner: Owner) => boolean): Owner | undefined {
    if (this.#queues.has(null)) return null;
    return this.#queues.keys().find(isAllowed);
  }
}

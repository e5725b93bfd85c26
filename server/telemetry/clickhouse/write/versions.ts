/** Versions of rows, and the order of arrival. */

/** A later commit has a higher number, and so has each commit of a later epoch. */
export class Commits {
  readonly #epoch: bigint;
  #generation: bigint;
  #count = 0n;
  #arrival = 0;

  /** @param epoch higher than that of every earlier writer of the same apps */
  constructor(epoch: number) {
    this.#epoch = BigInt(epoch) << 32n;
    this.#generation = this.next();
  }

  next(): bigint {
    return this.#epoch + this.#count++;
  }

  /** Of blobs that are stored now. */
  get generation(): bigint {
    return this.#generation;
  }

  /** A removal that begins now concerns only older generations: what is stored from now on has this one or a later one. */
  beginGeneration(): bigint {
    this.#generation = this.next();
    return this.#generation;
  }

  /** Later arrivals are above this one: that of a gateway whose clock is ahead. */
  startAbove(arrival: number): void {
    this.#arrival = Math.max(this.#arrival, arrival);
  }

  get lastArrival(): number {
    return this.#arrival;
  }

  /** Microseconds since the epoch, each number once. */
  readonly nextArrival = (): number => {
    this.#arrival = Math.max(this.#arrival + 1, Date.now() * 1000);
    return this.#arrival;
  };
}

const finalFrom = 9n * 10n ** 18n;

/** The first final record of a span wins whatever the order of the inserts, and any final one over a pending one. */
export const recordVersion = (arrival: number, pending: boolean): string =>
  pending ? String(arrival) : String(finalFrom - BigInt(arrival));

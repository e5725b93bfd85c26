/**
 * How far a rule has looked, in the memory of one gateway. New traces come first: each round goes on where the last one ended, and looks once more
 * at those that started shortly before. Now and then a second sweep goes over the last day, for scores, errors and ends that come late.
 */
import { Sweep } from './sweep.ts';

const lookBackMs = 24 * 3_600_000;
/** Traces that started this long before the last look are looked at again: some have not ended, or not arrived. */
const overlapMs = 10 * 60_000;

export class RuleProgress {
  readonly activeSince: string;
  /** The round in which it had its last turn. */
  turn = 0;
  readonly #earliestMs: number;
  readonly #againEveryMs: number;
  readonly #fresh: Sweep;
  #again: Sweep | null = null;
  #againDueMs: number;

  /** @param endedBeforeMs traces that ended before can be looked at @param againEveryMs between two sweeps over the last day */
  constructor(activeSince: string, endedBeforeMs: number, againEveryMs: number) {
    this.activeSince = activeSince;
    this.#earliestMs = Date.parse(activeSince);
    this.#againEveryMs = againEveryMs;
    const from = Math.max(this.#earliestMs, endedBeforeMs - overlapMs);
    this.#fresh = new Sweep(from, endedBeforeMs);
    this.#againDueMs = this.#earliestMs < from ? endedBeforeMs : endedBeforeMs + againEveryMs;
  }

  /** Begins a round. @returns milliseconds of the traces that it passes over, because they are too old by now */
  begin(endedBeforeMs: number): number {
    const [fresh, oldest] = [this.#fresh, endedBeforeMs - lookBackMs];
    if (fresh.isDone) fresh.moveTo(Math.max(this.#earliestMs, Math.min(fresh.from, endedBeforeMs) - overlapMs));
    const passedOver = Math.max(0, oldest - fresh.from);
    if (passedOver > 0) fresh.moveTo(oldest);
    fresh.extend(endedBeforeMs);
    if (this.#again?.isDone) this.#again = null;
    if (!this.#again && endedBeforeMs >= this.#againDueMs && endedBeforeMs > this.#earliestMs) {
      this.#again = new Sweep(Math.max(this.#earliestMs, oldest), endedBeforeMs);
      this.#againDueMs = endedBeforeMs + this.#againEveryMs;
    }
    return passedOver;
  }

  /** Where the new traces begin. */
  get from(): number {
    return this.#fresh.from;
  }

  /** The app has no traces that started later. */
  skipNew(): void {
    this.#fresh.finish();
  }

  get hasNew(): boolean {
    return !this.#fresh.isDone;
  }

  /** The sweep that is to go on, and whether it is the one over new traces; null when there is nothing to do. */
  get next(): { sweep: Sweep; isNew: boolean } | null {
    if (!this.#fresh.isDone) return { sweep: this.#fresh, isNew: true };
    return this.#again && !this.#again.isDone ? { sweep: this.#again, isNew: false } : null;
  }
}

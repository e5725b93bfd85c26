/** Goes once over the matching traces of a range of time, in windows and pages, and keeps its position after each page. */
import type { Window } from '../telemetry/search-reader.ts';
import { type FoundTraces, pageSize } from './matching-traces.ts';

/** A window with more matching traces is divided, because late pages of a list are slow. */
const windowTracesMax = 10 * pageSize;
/** A shorter window is not divided. */
const shortestMs = 60_000;

export class Sweep {
  #from: number;
  #to: number;
  #window: Window | null = null;
  #offset = 0;
  #spanMs = Number.POSITIVE_INFINITY;

  /** @param to not included */
  constructor(from: number, to: number) {
    this.#from = from;
    this.#to = to;
  }

  /** Everything before it has been looked at. */
  get from(): number {
    return this.#from;
  }

  get isDone(): boolean {
    return this.#from >= this.#to;
  }

  /** Lets it go on to a later end. */
  extend(to: number): void {
    this.#to = Math.max(this.#to, to);
  }

  /** There is nothing to look at. */
  finish(): void {
    this.moveTo(this.#to);
  }

  /** Begins again at a time, earlier or later. */
  moveTo(from: number): void {
    this.#from = from;
    this.#leaveWindow();
  }

  /**
   * Reads one page, hands it over, and moves on when both have succeeded. A window that fails, or that cannot be searched to its end, is divided,
   * so that the next call reads a shorter one.
   * @returns false when traces had to be left out, because the shortest window could not be searched to its end
   */
  async next(read: (window: Window, offset: number) => Promise<FoundTraces>, handle: (ids: string[]) => Promise<void>): Promise<boolean> {
    this.#window ??= { from: this.#from, to: Math.min(this.#to, this.#from + this.#spanMs) };
    const window = this.#window;
    const page = await read(window, this.#offset).catch((error: unknown) => {
      this.#divide(window);
      throw error;
    });
    const isTooLong = !page.isComplete || (this.#offset === 0 && page.total > windowTracesMax);
    if (isTooLong && this.#divide(window)) return true;
    await handle(page.ids);
    if (page.isLastPage) {
      this.#spanMs *= 2;
      this.moveTo(window.to);
    } else {
      this.#offset += pageSize;
    }
    return page.isComplete;
  }

  #divide({ from, to }: Window): boolean {
    if (to - from <= shortestMs) return false;
    this.#spanMs = Math.ceil((to - from) / 2);
    this.#leaveWindow();
    return true;
  }

  #leaveWindow(): void {
    this.#window = null;
    this.#offset = 0;
  }
}

/** How long a search of contents goes on: until its page is full and a moment more for the total, or until its time is spent. */

const countMs = 500;
const pageMs = 5000;

export class SearchTime {
  readonly #began = performance.now();
  #isFull = false;

  /** Call it when the page is full. */
  fill(): void {
    this.#isFull = true;
  }

  get isSpent(): boolean {
    return performance.now() - this.#began > (this.#isFull ? countMs : pageMs);
  }
}

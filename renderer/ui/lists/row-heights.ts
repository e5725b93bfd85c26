/** Heights of many rows that differ. Finding a row, its position, and changing its height take O(log rows): a Fenwick tree of the heights. */
export class RowHeights {
  readonly count: number;
  readonly #heights: Float64Array;
  /** At each index, from 1, the sum of the heights of as many rows before it as its lowest set bit. */
  readonly #sums: Float64Array;

  /** O(count). @param heightOf height of a row in pixels */
  constructor(count: number, heightOf: (index: number) => number) {
    this.count = count;
    this.#heights = new Float64Array(count);
    this.#sums = new Float64Array(count + 1);
    for (let index = 0; index < count; index++) this.#heights[index] = heightOf(index);
    for (let at = 1; at <= count; at++) {
      this.#sums[at] = (this.#sums[at] as number) + (this.#heights[at - 1] as number);
      const above = at + (at & -at);
      if (above <= count) this.#sums[above] = (this.#sums[above] as number) + (this.#sums[at] as number);
    }
  }

  get total(): number {
    return this.start(this.count);
  }

  height(index: number): number {
    return this.#heights[index] ?? 0;
  }

  setHeight(index: number, height: number): void {
    const by = height - this.height(index);
    this.#heights[index] = height;
    for (let at = index + 1; at <= this.count; at += at & -at) this.#sums[at] = (this.#sums[at] as number) + by;
  }

  /** Pixels of all rows before this one. */
  start(index: number): number {
    let sum = 0;
    for (let at = Math.min(index, this.count); at > 0; at -= at & -at) sum += this.#sums[at] as number;
    return sum;
  }

  /** The row at this offset in pixels, the nearest one outside of all rows; -1 without rows. */
  indexAt(offset: number): number {
    let index = 0;
    let left = offset;
    for (let step = 2 ** Math.floor(Math.log2(Math.max(1, this.count))); step >= 1; step /= 2) {
      const next = index + step;
      if (next > this.count || (this.#sums[next] as number) > left) continue;
      index = next;
      left -= this.#sums[next] as number;
    }
    return Math.min(index, this.count - 1);
  }
}

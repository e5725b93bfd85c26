/** A priority queue: the item with the greatest time comes first. */
interface Timed {
  newest: number;
}

export class NewestFirst<T extends Timed> {
  /** A binary heap. */
  readonly #items: T[] = [];

  /** The time of the first item; null when there is none. */
  get newest(): number | null {
    return this.#items[0]?.newest ?? null;
  }

  add(item: T): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    for (let above = (at - 1) >> 1; at > 0 && (items[above] as T).newest < item.newest; above = (at - 1) >> 1) {
      items[at] = items[above] as T;
      at = above;
    }
    items[at] = item;
  }

  take(): T | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = at * 2 + 1;
      if (below + 1 < items.length && (items[below + 1] as T).newest > (items[below] as T).newest) below++;
      if (below >= items.length || (items[below] as T).newest <= last.newest) break;
      items[at] = items[below] as T;
      at = below;
    }
    items[at] = last;
    return first;
  }
}

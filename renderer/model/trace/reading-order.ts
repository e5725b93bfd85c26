/**
 * The order in which a tree is read, depth first, from the parents alone. Every span is read exactly once, whatever its sender
 * wrote: a ring of parents is cut at its earliest span. Nothing recurses, because a trace may be ten thousand levels deep;
 * linear, because it may have a hundred thousand spans.
 */
export interface ReadingOrder {
  /** Original position for each position in reading order. */
  order: Int32Array;
  /** And back. */
  readAt: Int32Array;
  /** Parents in reading order, -1 at the top; always before their children. */
  parent: Int32Array;
  /** 1 where a cycle was cut, by original position. */
  cut: Uint8Array;
}

/** @param given the place of each parent, -1 for none; places are in order of time, and siblings keep it */
export function readingOrder(given: ArrayLike<number>): ReadingOrder {
  const count = given.length;
  const parents = Int32Array.from(given);
  const cut = cutRings(parents);
  // Children as linked lists, built from the back to keep their order.
  const first = new Int32Array(count + 1).fill(-1);
  const next = new Int32Array(count).fill(-1);
  for (let at = count - 1; at >= 0; at--) {
    const parent = parents[at] as number;
    const head = parent < 0 ? count : parent;
    next[at] = first[head] as number;
    first[head] = at;
  }
  const order = new Int32Array(count);
  const parent = new Int32Array(count).fill(-1);
  const readAt = new Int32Array(count);
  const waiting = new Int32Array(count);
  let depth = 0;
  let at = first[count] as number;
  for (let read = 0; read < count; read++) {
    order[read] = at;
    readAt[at] = read;
    const above = parents[at] as number;
    if (above >= 0) parent[read] = readAt[above] as number;
    if ((next[at] as number) >= 0) waiting[depth++] = next[at] as number;
    at = first[at] as number;
    if (at < 0) at = depth > 0 ? (waiting[--depth] as number) : -1;
  }
  return { order, readAt, parent, cut };
}

/** Follows the parents of every span; a repeated span closes a cycle. Each span is visited once. */
function cutRings(parents: Int32Array): Uint8Array {
  const cut = new Uint8Array(parents.length);
  const walkedBy = new Int32Array(parents.length);
  for (let start = 0; start < parents.length; start++) {
    const walk = start + 1;
    let at = start;
    while (at >= 0 && walkedBy[at] === 0) {
      walkedBy[at] = walk;
      at = parents[at] as number;
    }
    if (at < 0 || walkedBy[at] !== walk) continue;
    let earliest = at;
    for (let each = parents[at] as number; each !== at; each = parents[each] as number) earliest = Math.min(earliest, each);
    parents[earliest] = -1;
    cut[earliest] = 1;
  }
  return cut;
}

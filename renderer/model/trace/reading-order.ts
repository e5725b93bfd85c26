/**
 * Depth-first order of a tree, computed from the parents alone. Every span occurs exactly once, whatever its sender
 * wrote: a cycle of parents is cut at its earliest span. There is no recursion, because a trace may be ten thousand levels deep;
 * linear, because it may have a hundred thousand spans.
 */
export interface ReadingOrder {
  /** Original position for each position in reading order. */
  order: Int32Array;
  /** The inverse: position in reading order for each original position. */
  readAt: Int32Array;
  /** Parents in reading order, -1 for roots; a parent always precedes its children. */
  parent: Int32Array;
  /** 1 where a cycle was cut, by original position. */
  cut: Uint8Array;
}

/** @param parentPositions position of each parent, -1 for none; positions are in order of time, which siblings keep */
export function readingOrder(parentPositions: ArrayLike<number>): ReadingOrder {
  const count = parentPositions.length;
  const parents = Int32Array.from(parentPositions);
  const cut = cutCycles(parents);
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
  const pendingSiblings = new Int32Array(count);
  let depth = 0;
  let at = first[count] as number;
  for (let read = 0; read < count; read++) {
    order[read] = at;
    readAt[at] = read;
    const parentAt = parents[at] as number;
    if (parentAt >= 0) parent[read] = readAt[parentAt] as number;
    if ((next[at] as number) >= 0) pendingSiblings[depth++] = next[at] as number;
    at = first[at] as number;
    if (at < 0) at = depth > 0 ? (pendingSiblings[--depth] as number) : -1;
  }
  return { order, readAt, parent, cut };
}

/** Follows the parents of every span; a repeated span closes a cycle. Each span is visited once. */
function cutCycles(parents: Int32Array): Uint8Array {
  const cut = new Uint8Array(parents.length);
  const visitedBy = new Int32Array(parents.length);
  for (let start = 0; start < parents.length; start++) {
    const visit = start + 1;
    let at = start;
    while (at >= 0 && visitedBy[at] === 0) {
      visitedBy[at] = visit;
      at = parents[at] as number;
    }
    if (at < 0 || visitedBy[at] !== visit) continue;
    let earliest = at;
    for (let other = parents[at] as number; other !== at; other = parents[other] as number) earliest = Math.min(earliest, other);
    parents[earliest] = -1;
    cut[earliest] = 1;
  }
  return cut;
}

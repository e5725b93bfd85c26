/** Visible spans of a tree in order, as positions in reading order. O(rows) for each fold or search; key presses and scrolling cost nothing. */
import type { SpanTree } from './span-tree.ts';

/** Ids, because positions change when spans arrive. */
export type Folded = ReadonlySet<string>;

/**
 * Rows that are not inside a folded span. A folded subtree is skipped at once.
 * @param standsFor number of spans that one row represents, by position
 */
export function unfoldedRows(tree: SpanTree, folded: Folded, standsFor: Int32Array | null = null): Int32Array {
  const isFolded = new Uint8Array(tree.size);
  for (const id of folded) {
    const at = tree.placeOf(id);
    if (at !== undefined) isFolded[at] = 1;
  }
  const rows = new Int32Array(tree.size);
  let count = 0;
  for (let at = 0; at < tree.size; at += isFolded[at] === 1 ? (tree.below[at] as number) + 1 : Math.max(1, standsFor?.[at] ?? 0))
    rows[count++] = at;
  return rows.subarray(0, count);
}

/** The matching spans with all their ancestors. `found` is in reading order. */
export function foundRows(tree: SpanTree, found: Int32Array): Int32Array {
  const isShown = new Uint8Array(tree.size);
  for (const position of found) {
    for (let at = position; at >= 0 && isShown[at] === 0; at = tree.parent[at] as number) isShown[at] = 1;
  }
  const rows = new Int32Array(tree.size);
  let count = 0;
  for (let at = 0; at < tree.size; at++) if (isShown[at] === 1) rows[count++] = at;
  return rows.subarray(0, count);
}

/** Spans whose name or model contains the text. Each distinct name is tested once. */
export function namedSpans(tree: SpanTree, searchText: string): Int32Array {
  const query = searchText.trim().toLowerCase();
  if (query === '') return new Int32Array(0);
  const matches = (text: string) => text.toLowerCase().includes(query);
  const { names, models, spans } = tree.outline;
  const [inName, inModel] = [names.map(matches), models.map(matches)];
  const found = new Int32Array(tree.size);
  let count = 0;
  for (let at = 0; at < tree.size; at++) {
    const position = tree.order[at] as number;
    if (inName[spans.name[position] as number] || inModel[spans.model[position] as number]) found[count++] = at;
  }
  return found.subarray(0, count);
}

/** Row of a position, -1 for none. Rows are in order. */
export function indexOfRow(rows: Int32Array, position: number): number {
  const at = rowsBefore(rows, position);
  return rows[at] === position ? at : -1;
}

/** Number of rows before a position. */
function rowsBefore(rows: Int32Array, position: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle] as number) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Next of `among` after or before a position in reading order, wrapping at the end. */
export function nextOf(among: Int32Array, from: number, step: 1 | -1): number | undefined {
  const before = rowsBefore(among, from);
  if (step === -1) return among[before - 1] ?? among.at(-1);
  return among[among[before] === from ? before + 1 : before] ?? among[0];
}

/** Positions with the largest values, largest first, without empty ones. One pass, for a small `count`. */
export function largest(values: Float64Array, count: number): Int32Array {
  const largestFirst: number[] = [];
  const value = (at: number) => values[at] as number;
  for (let at = 0; at < values.length; at++) {
    const smallest = largestFirst[count - 1];
    if (value(at) <= (smallest === undefined ? 0 : value(smallest))) continue;
    const before = largestFirst.findLastIndex((other) => value(other) >= value(at));
    largestFirst.splice(before + 1, 0, at);
    if (largestFirst.length > count) largestFirst.pop();
  }
  return Int32Array.from(largestFirst);
}

/** Cost of each span without that of its children: a wrapper that repeats them costs nothing itself. */
export function costAlone(tree: SpanTree): Float64Array {
  const ownCost = tree.own.cost.slice();
  for (let at = 0; at < tree.size; at++) {
    const parentAt = tree.parent[at] as number;
    if (parentAt >= 0) ownCost[parentAt] = (ownCost[parentAt] as number) - (tree.total.cost[at] as number);
  }
  return ownCost;
}

/** Deepest span that ran at a moment, the latest start first; undefined for none. */
export function spanAt(tree: SpanTree, moment: number): number | undefined {
  let found: number | undefined;
  for (let at = 0; at < tree.size; at++) {
    if ((tree.start[at] as number) > moment || (tree.end[at] as number) < moment) continue;
    if (found === undefined || (tree.depth[at] as number) >= (tree.depth[found] as number)) found = at;
  }
  return found;
}

/** Visible spans of a tree in order, as positions in reading order. O(rows) for each fold or search, never for a key or scroll. */
import type { SpanTree } from './span-tree.ts';

/** Ids, because places change when spans arrive. */
export type Folded = ReadonlySet<string>;

/**
 * Everything that no folded span hides. A folded subtree is stepped over at once.
 * @param standsFor how many spans in a row one of them stands for, by place
 */
export function unfoldedRows(tree: SpanTree, folded: Folded, standsFor: Int32Array | null = null): Int32Array {
  const hides = new Uint8Array(tree.size);
  for (const id of folded) {
    const at = tree.placeOf(id);
    if (at !== undefined) hides[at] = 1;
  }
  const rows = new Int32Array(tree.size);
  let count = 0;
  for (let at = 0; at < tree.size; at += hides[at] === 1 ? (tree.below[at] as number) + 1 : Math.max(1, standsFor?.[at] ?? 0))
    rows[count++] = at;
  return rows.subarray(0, count);
}

/** The found spans and, so that their place can be read, everything above them. `found` is in reading order. */
export function foundRows(tree: SpanTree, found: Int32Array): Int32Array {
  const shown = new Uint8Array(tree.size);
  for (const place of found) {
    for (let at = place; at >= 0 && shown[at] === 0; at = tree.parent[at] as number) shown[at] = 1;
  }
  const rows = new Int32Array(tree.size);
  let count = 0;
  for (let at = 0; at < tree.size; at++) if (shown[at] === 1) rows[count++] = at;
  return rows.subarray(0, count);
}

/** The spans whose name or model holds the words. Names repeat, so each is looked at once. */
export function namedSpans(tree: SpanTree, words: string): Int32Array {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return new Int32Array(0);
  const holds = (text: string) => text.toLowerCase().includes(wanted);
  const { names, models, spans } = tree.outline;
  const [inName, inModel] = [names.map(holds), models.map(holds)];
  const found = new Int32Array(tree.size);
  let count = 0;
  for (let at = 0; at < tree.size; at++) {
    const place = tree.order[at] as number;
    if (inName[spans.name[place] as number] || inModel[spans.model[place] as number]) found[count++] = at;
  }
  return found.subarray(0, count);
}

/** Where a place stands among rows, -1 when it is not there. Rows are in order. */
export function indexOfRow(rows: Int32Array, place: number): number {
  const at = rowsBefore(rows, place);
  return rows[at] === place ? at : -1;
}

/** How many rows stand before a place. */
function rowsBefore(rows: Int32Array, place: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle] as number) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The next of `among` after a place in reading order, or before it; goes round at the end. */
export function nextOf(among: Int32Array, from: number, step: 1 | -1): number | undefined {
  const before = rowsBefore(among, from);
  if (step === -1) return among[before - 1] ?? among.at(-1);
  return among[among[before] === from ? before + 1 : before] ?? among[0];
}

/** The places with the largest values, largest first; those without any value are left out. One look at each, for a small `count`. */
export function largest(values: Float64Array, count: number): Int32Array {
  const best: number[] = [];
  const value = (at: number) => values[at] as number;
  for (let at = 0; at < values.length; at++) {
    const least = best[count - 1];
    if (value(at) <= (least === undefined ? 0 : value(least))) continue;
    const before = best.findLastIndex((each) => value(each) >= value(at));
    best.splice(before + 1, 0, at);
    if (best.length > count) best.pop();
  }
  return Int32Array.from(best);
}

/** What each span cost beyond what its children report: a wrapper that repeats them costs nothing itself. */
export function costAlone(tree: SpanTree): Float64Array {
  const alone = tree.own.cost.slice();
  for (let at = 0; at < tree.size; at++) {
    const above = tree.parent[at] as number;
    if (above >= 0) alone[above] = (alone[above] as number) - (tree.total.cost[at] as number);
  }
  return alone;
}

/** The deepest span that ran at a moment, the one that started last; undefined when none did. */
export function spanAt(tree: SpanTree, moment: number): number | undefined {
  let found: number | undefined;
  for (let at = 0; at < tree.size; at++) {
    if ((tree.start[at] as number) > moment || (tree.end[at] as number) < moment) continue;
    if (found === undefined || (tree.depth[at] as number) >= (tree.depth[found] as number)) found = at;
  }
  return found;
}

/** Rows of a page in the order of a column, without sorting the others: the bounds of the groups tell which of them need not be read. */
import { eachBit } from './bitmap.ts';
import { readColumn } from './chunk-codec.ts';
import type { RowGroup, Zone } from './row-groups.ts';
import { rowsMax } from './stored-columns.ts';

/** The matching rows of a group. */
export interface Matches {
  group: RowGroup;
  rows: Uint32Array;
  count: number;
}

/** What rows are sorted by, then by their row id. */
export interface SortKey {
  zone(group: RowGroup): Zone;
  /** Writes the keys of all rows of a group. */
  read(group: RowGroup, into: Float64Array): void;
}

export interface PageRange {
  direction: 'asc' | 'desc';
  limit: number;
  offset: number;
}

export const byColumn = (name: string): SortKey => ({
  zone: (group) => group.zone(name),
  read: (group, into) => readColumn(group.column(name), group.size, into),
});

interface Bounded extends Matches {
  /** Its row ids, which are negated for ascending order. */
  place: number;
  low: number;
  high: number;
}

/** More rows than this are not sorted: their keys are counted first. */
const sortedMax = 4000;
const buckets = 4096;

type EachRow = (group: Bounded, visit: (key: number, id: number) => void) => void;

export function pageOfRows(
  matches: readonly Matches[],
  key: SortKey,
  { direction, limit, offset }: PageRange,
  check: () => void,
): number[] {
  // Everything below is for descending order; ascending order is that of the negated keys and row ids.
  const sign = direction === 'desc' ? 1 : -1;
  const keys = new Float64Array(rowsMax);
  const eachRow: EachRow = ({ group, rows }, visit) => {
    check();
    key.read(group, keys);
    group.release();
    eachBit(rows, (row) => visit(sign * (keys[row] as number), sign * (group.first + row)));
  };
  const groups = matches.filter(({ count }) => count > 0).map((each) => boundsOf(each, key, sign));
  const total = countOf(groups);
  if (offset >= total || limit === 0) return [];
  const select = (range: Range): number[] => {
    let window = windowOf(groups, range);
    for (;;) {
      const open = groups.filter(({ low, high }) => high >= window.least && low <= window.most);
      const skipped = groups.reduce((sum, { low, count }) => (low > window.most ? sum + count : sum), 0);
      const rest = { from: range.from - skipped, to: range.to - skipped };
      const { least, most } = window;
      if (least === most) return pickEqual(open, eachRow, most, rest);
      if (Math.min(window.count, countOf(open)) <= sortedMax) return pick(open, eachRow, window, rest);
      window = narrow(open, eachRow, window, rest);
      if (window.least !== least || window.most !== most) continue;
      // The page has rows of its lowest key, which may be many, and others.
      const over = skipped + countAbove(open, eachRow, least);
      const isMixed = over > range.from && over < range.to;
      if (!isMixed || range.to - range.from === 1) return pick(open, eachRow, window, rest);
      return [...select({ ...range, to: over }), ...select({ ...range, from: over })];
    }
  };
  return select({ from: offset, to: Math.min(offset + limit, total) }).map((id) => id * sign);
}

function countAbove(open: readonly Bounded[], eachRow: EachRow, limit: number): number {
  let count = 0;
  for (const group of open)
    eachRow(group, (key) => {
      if (key > limit) count++;
    });
  return count;
}

function boundsOf(match: Matches, key: SortKey, sign: number): Bounded {
  const { low, high } = key.zone(match.group);
  match.group.release();
  const place = sign * match.group.first;
  return sign > 0 ? { ...match, place, low, high } : { ...match, place, low: -high, high: -low };
}

/** Keys between which the rows of the page are, both included. */
interface KeyWindow {
  least: number;
  most: number;
  /** At most so many rows have such keys. */
  count: number;
}

const countOf = (groups: readonly Bounded[]): number => groups.reduce((sum, { count }) => sum + count, 0);

/** Places of the page among the rows in order. */
interface Range {
  from: number;
  to: number;
}

function windowOf(groups: readonly Bounded[], { from, to }: Range): KeyWindow {
  let [least, most, count] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
  for (const group of groups.toSorted((a, b) => b.low - a.low)) {
    least = group.low;
    count += group.count;
    if (count >= to) break;
  }
  count = 0;
  for (const group of groups.toSorted((a, b) => b.high - a.high)) {
    most = group.high;
    count += group.count;
    if (count > from) break;
  }
  return { least, most, count: Number.POSITIVE_INFINITY };
}

/** Counts the keys of a window in buckets, and finds the bounds of the buckets that hold the page. */
function narrow(open: readonly Bounded[], eachRow: EachRow, window: KeyWindow, { from, to }: Range): KeyWindow {
  const { least, most } = window;
  const width = (most - least) / buckets;
  if (!(width > 0 && width < Number.POSITIVE_INFINITY)) return window;
  const counts = new Float64Array(buckets);
  const lows = new Float64Array(buckets).fill(Number.POSITIVE_INFINITY);
  const highs = new Float64Array(buckets).fill(Number.NEGATIVE_INFINITY);
  let count = 0;
  for (const group of open)
    eachRow(group, (key) => {
      if (key > most) count++;
      else if (key >= least) {
        const bucket = Math.min(buckets - 1, Math.floor((most - key) / width));
        counts[bucket] = (counts[bucket] as number) + 1;
        if (key < (lows[bucket] as number)) lows[bucket] = key;
        if (key > (highs[bucket] as number)) highs[bucket] = key;
      }
    });
  let narrowed = window;
  let isFound = false;
  for (let bucket = 0; bucket < buckets && count < to; bucket++) {
    if (counts[bucket] === 0) continue;
    count += counts[bucket] as number;
    if (count <= from) continue;
    narrowed = isFound
      ? { least: lows[bucket] as number, most: narrowed.most, count: narrowed.count + (counts[bucket] as number) }
      : { least: lows[bucket] as number, most: highs[bucket] as number, count: counts[bucket] as number };
    isFound = true;
  }
  return narrowed;
}

/** Row ids of the page, from the rows of the window. */
function pick(open: readonly Bounded[], eachRow: EachRow, { least, most }: KeyWindow, { from, to }: Range): number[] {
  const found: { key: number; id: number }[] = [];
  let over = 0;
  for (const group of open)
    eachRow(group, (key, id) => {
      if (key > most) over++;
      else if (key >= least) found.push({ key, id });
    });
  found.sort((a, b) => b.key - a.key || b.id - a.id);
  return found.slice(from - over, to - over).map(({ id }) => id);
}

/** Of rows with the same key, which are in order of their ids, only those of the page are collected. */
function pickEqual(open: readonly Bounded[], eachRow: EachRow, only: number, { from, to }: Range): number[] {
  const counted = open.map((group) => {
    let [over, equal] = [0, 0];
    eachRow(group, (key) => {
      if (key > only) over++;
      else if (key === only) equal++;
    });
    return { group, over, equal };
  });
  let place = counted.reduce((sum, { over }) => sum + over, 0);
  const found: number[] = [];
  for (const { group, equal } of counted.toSorted((a, b) => b.group.place - a.group.place)) {
    if (place < to && place + equal > from) {
      const ids: number[] = [];
      eachRow(group, (key, id) => {
        if (key === only) ids.push(id);
      });
      ids.sort((a, b) => b - a);
      found.push(...ids.slice(Math.max(0, from - place), to - place));
    }
    place += equal;
  }
  return found;
}

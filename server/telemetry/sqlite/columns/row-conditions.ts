/** Conditions on the rows of a group: each gives the set of rows for which it holds. */
import { andWith, fillRows, type IdSet, invert, orWith, wordsOf } from './bitmap.ts';
import { matchColumn, mayMatch, type ValueTest } from './match-column.ts';
import type { RowGroup } from './row-groups.ts';
import { rowsMax } from './stored-columns.ts';

/** Sets the bits of the rows for which it holds, and clears the others. */
export type RowCondition = (group: RowGroup, out: Uint32Array) => void;

export const newRowSet = (): Uint32Array => new Uint32Array(wordsOf(rowsMax));

export const never: RowCondition = (_group, out) => {
  out.fill(0);
};

export const always: RowCondition = ({ size }, out) => fillRows(out, size);

/** The value of a column passes a test. */
export const holds =
  (column: string, test: ValueTest): RowCondition =>
  (group, out) => {
    if (mayMatch(group.zone(column), test)) matchColumn(group.column(column), test, group.size, out);
    else out.fill(0);
  };

/** The row id is in the set. */
export const isRow =
  (ids: IdSet): RowCondition =>
  ({ first, size }, out) => {
    out.fill(0);
    out.set(ids.words.subarray(first / 32, (first + size) / 32));
  };

/** The row id is at most this. */
export const isUpTo =
  (last: number): RowCondition =>
  ({ first, size }, out) => {
    out.fill(0);
    fillRows(out, Math.max(0, Math.min(size, last - first + 1)));
  };

export const not =
  (condition: RowCondition): RowCondition =>
  (group, out) => {
    condition(group, out);
    invert(out, group.size);
  };

export const any = (conditions: readonly RowCondition[]): RowCondition => {
  const [first = never, ...others] = conditions;
  const more = newRowSet();
  return (group, out) => {
    first(group, out);
    for (const condition of others) {
      condition(group, more);
      orWith(out, more);
    }
  };
};

/** Stops at the first condition that leaves no row. */
export const all = (conditions: readonly RowCondition[]): RowCondition => {
  const [first = always, ...others] = conditions;
  const more = newRowSet();
  return (group, out) => {
    first(group, out);
    for (const condition of others) {
      if (isEmpty(out)) return;
      condition(group, more);
      andWith(out, more);
    }
  };
};

export const isEmpty = (set: Uint32Array): boolean => {
  for (let at = 0; at < set.length; at++) if (set[at] !== 0) return false;
  return true;
};

/** Values of matching rows, group by group. */
import { eachBit } from './bitmap.ts';
import { readColumn } from './chunk-codec.ts';
import type { RowGroup } from './row-groups.ts';
import type { Matches } from './row-page.ts';
import { rowsMax } from './stored-columns.ts';

/**
 * Calls `visit` for each matching row, in order of row ids. The arrays hold the columns of its group, and are reused for the next one.
 * @param check runs once for each group
 */
export function readMatches<N extends string>(
  matches: readonly Matches[],
  names: readonly N[],
  check: () => void,
  visit: (columns: Readonly<Record<N, Float64Array>>, row: number, group: RowGroup) => void,
): void {
  const columns = Object.fromEntries(names.map((name) => [name, new Float64Array(rowsMax)])) as Record<N, Float64Array>;
  for (const { group, rows } of matches) {
    check();
    for (const name of names) readColumn(group.column(name), group.size, columns[name]);
    group.release();
    eachBit(rows, (row) => visit(columns, row, group));
  }
}

/** Columns of a list: visibility, order and width by the reader's choice. */
export interface ColumnChoice {
  id: string;
  isHidden: boolean;
  /** In pixels; null for the list's own. */
  width: number | null;
}

/** All columns once: chosen ones in their order, new ones at their default position. */
export function arranged(all: readonly { id: string; isExtra?: boolean }[], chosen: readonly ColumnChoice[]): ColumnChoice[] {
  const there = new Set(all.map(({ id }) => id));
  const kept = chosen.filter(({ id }, i) => there.has(id) && chosen.findIndex((each) => each.id === id) === i);
  const result = [...kept];
  all.forEach(({ id, isExtra = false }, place) => {
    if (kept.some((each) => each.id === id)) return;
    const before = all.slice(0, place).findLast((each) => result.some((known) => known.id === each.id));
    const at = before ? result.findIndex((known) => known.id === before.id) + 1 : 0;
    result.splice(at, 0, { id, isHidden: isExtra, width: null });
  });
  return result;
}

export const changed = (columns: readonly ColumnChoice[], id: string, change: Partial<ColumnChoice>): ColumnChoice[] =>
  columns.map((column) => (column.id === id ? { ...column, ...change } : column));

/** Moves a column up (-1) or down (1), within the list. */
export function moved(columns: readonly ColumnChoice[], id: string, by: -1 | 1): ColumnChoice[] {
  const at = columns.findIndex((column) => column.id === id);
  const to = at + by;
  const [one, other] = [columns[at], columns[to]];
  if (!one || !other) return [...columns];
  return columns.map((column, i) => (i === at ? other : i === to ? one : column));
}

/** Columns of a list: visibility, order and width as the user chose. */
export interface ColumnChoice {
  id: string;
  isHidden: boolean;
  /** In pixels; null for the default of the list. */
  width: number | null;
}

/** All columns once: chosen ones in their order, new ones at their default position. */
export function arrangeColumns(all: readonly { id: string; isExtra?: boolean }[], chosen: readonly ColumnChoice[]): ColumnChoice[] {
  const existing = new Set(all.map(({ id }) => id));
  const valid = chosen.filter(({ id }, i) => existing.has(id) && chosen.findIndex((column) => column.id === id) === i);
  const result = [...valid];
  all.forEach(({ id, isExtra = false }, index) => {
    if (valid.some((column) => column.id === id)) return;
    const before = all.slice(0, index).findLast((column) => result.some((placed) => placed.id === column.id));
    const at = before ? result.findIndex((placed) => placed.id === before.id) + 1 : 0;
    result.splice(at, 0, { id, isHidden: isExtra, width: null });
  });
  return result;
}

export const changeColumn = (columns: readonly ColumnChoice[], id: string, change: Partial<ColumnChoice>): ColumnChoice[] =>
  columns.map((column) => (column.id === id ? { ...column, ...change } : column));

/** Moves a column up (-1) or down (1), within the list. */
export function moveColumn(columns: readonly ColumnChoice[], id: string, by: -1 | 1): ColumnChoice[] {
  const at = columns.findIndex((column) => column.id === id);
  const to = at + by;
  const [current, other] = [columns[at], columns[to]];
  if (!current || !other) return [...columns];
  return columns.map((column, i) => (i === at ? other : i === to ? current : column));
}

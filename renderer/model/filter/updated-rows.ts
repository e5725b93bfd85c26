/** Keeps the rows of a page in place: their values are updated, new rows are left out. */
export function updateRows<T extends { id: string }>(current: readonly T[], latest: readonly T[]): readonly T[] {
  const latestById = new Map(latest.map((row) => [row.id, row]));
  return current.map((row) => latestById.get(row.id) ?? row);
}

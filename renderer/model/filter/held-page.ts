/** Pins the rows of a page: present rows are updated in place, new ones are left out. */
export function holdStill<T extends { id: string }>(held: readonly T[], latest: readonly T[]): readonly T[] {
  const now = new Map(latest.map((row) => [row.id, row]));
  return held.map((row) => now.get(row.id) ?? row);
}

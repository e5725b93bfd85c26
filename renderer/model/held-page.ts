/**
 * The rows of a page that is held still while the reader is on it: those that are still there take their new values in place,
 * and no other row comes in.
 */
export function holdStill<T extends { id: string }>(held: readonly T[], latest: readonly T[]): readonly T[] {
  const now = new Map(latest.map((row) => [row.id, row]));
  return held.map((row) => now.get(row.id) ?? row);
}

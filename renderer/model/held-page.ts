/**
 * A page of rows held still while the reader's pointer is on it. Rows that are still there take their new values in place;
 * rows that are new wait, counted, until the reader asks or looks away.
 */
export interface Page<T> {
  rows: readonly T[];
  total: number;
}

export interface HeldPage<T> {
  page: Page<T>;
  /** How many rows wait to be shown. */
  waiting: number;
}

export function holdStill<T extends { id: string }>(held: Page<T>, latest: Page<T>): HeldPage<T> {
  if (held === latest) return { page: held, waiting: 0 };
  const now = new Map(latest.rows.map((row) => [row.id, row]));
  const rows = held.rows.map((row) => now.get(row.id) ?? row);
  const shown = new Set(held.rows.map((row) => row.id));
  const unseen = latest.rows.filter((row) => !shown.has(row.id)).length;
  return { page: { rows, total: latest.total }, waiting: Math.max(unseen, latest.total - held.total, 0) };
}

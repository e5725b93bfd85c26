/**
 * Traces that start within a window, as a range of the list index. That index sorts traces by their listed time, which is their start unless
 * the sender's clock is clearly wrong. If an app has such traces, the range is widened to include them, and rows are read to exclude the
 * others.
 */
import { between, type SQL } from 'drizzle-orm';
import type { Window } from '../../search-reader.ts';
import type { OpenDatabase } from '../file/open.ts';
import { traces } from '../file/schema.ts';

interface Misdated {
  count: number;
  /** List positions of traces that start within the window; null for none. */
  first: number | null;
  last: number | null;
}

export function startsWithin(db: OpenDatabase, scope: number, { from, to }: Window): SQL[] {
  const [first, last] = [from * 1000, to * 1000 + 999];
  const misdated = db
    .prepare<[number, number, number, number, number], Misdated>(
      `SELECT count(*) AS count, min(listed_us) FILTER (WHERE start_us BETWEEN ? AND ?) AS first,
         max(listed_us) FILTER (WHERE start_us BETWEEN ? AND ?) AS last
       FROM trace INDEXED BY trace_misdated WHERE scope = ? AND listed_us <> start_us`,
    )
    .get(first, last, first, last, scope);
  if (!misdated || misdated.count === 0) return [between(traces.listed_us, first, last)];
  const listed = between(traces.listed_us, Math.min(first, misdated.first ?? first), Math.max(last, misdated.last ?? last));
  return [listed, between(traces.start_us, first, last)];
}

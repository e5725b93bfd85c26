/** Removes rows that deleted traces leave behind. They affect no result but take space. Each step takes some milliseconds. */
import type { OpenDatabase } from '../file/open.ts';
import { StoredSignatures } from '../signatures/stored-signatures.ts';
import { unitSpans } from '../signatures/units.ts';
import { runTimeSlice } from './time-slice.ts';

const stepRows = 2_000;
const readBlocks = 500;

/** Removes index entries: terms of traces and signatures of spans. */
export function* sweepIndexEntries(db: OpenDatabase): Generator<void> {
  const nextEntry = db.prepare<[number, number, number], { term: number; trace: number }>(
    'SELECT term, trace FROM trace_term WHERE (term, trace) > (?, ?) ORDER BY term, trace LIMIT 1 OFFSET ?',
  );
  const drop = db.prepare(
    `DELETE FROM trace_term WHERE (term, trace) > (?, ?) AND (term, trace) <= (?, ?) AND NOT EXISTS (SELECT 1 FROM trace WHERE id = trace_term.trace)`,
  );
  db.exec('DELETE FROM recent_trace_term WHERE NOT EXISTS (SELECT 1 FROM trace WHERE id = recent_trace_term.trace)');
  for (let from = { term: 0, trace: 0 }; ; ) {
    const to = nextEntry.get(from.term, from.trace, stepRows);
    const { term, trace } = to ?? { term: Number.MAX_SAFE_INTEGER, trace: Number.MAX_SAFE_INTEGER };
    drop.run(from.term, from.trace, term, trace);
    yield;
    if (!to) break;
    from = to;
  }
  const signatures = new StoredSignatures(db);
  const hasSpan = db.prepare<[number, number], number>('SELECT EXISTS (SELECT 1 FROM span WHERE id BETWEEN ? AND ?)').pluck();
  yield* runInSteps(db, signatures.list(), ({ first, units }) => {
    if (hasSpan.get(first * unitSpans, (first + units) * unitSpans - 1) === 0) signatures.drop(first, first);
  });
}

/** Processes as many items in each transaction as the time of a step allows. */
function* runInSteps<T>(db: OpenDatabase, items: readonly T[], act: (item: T) => void): Generator<void> {
  let at = 0;
  const step = db.transaction(() =>
    runTimeSlice(() => {
      act(items[at++] as T);
      return at < items.length;
    }),
  );
  while (at < items.length) {
    step.immediate();
    yield;
  }
}

/** Deletes unneeded blocks up to an id. */
export function* dropBlocks(db: OpenDatabase, upTo: number, isNeeded: (block: number) => boolean): Generator<void> {
  const blocksUpTo = db
    .prepare<[number, number, number], number>('SELECT id FROM block WHERE id > ? AND id <= ? ORDER BY id LIMIT ?')
    .pluck();
  const drop = db.prepare('DELETE FROM block WHERE id = ?');
  for (let at = 0; ; ) {
    const ids = blocksUpTo.all(at, upTo, readBlocks);
    if (ids.length === 0) return;
    at = ids.at(-1) as number;
    yield* runInSteps(
      db,
      ids.filter((id) => !isNeeded(id)),
      (id) => drop.run(id),
    );
    yield;
  }
}

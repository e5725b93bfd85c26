/** Removes what deleted traces leave behind. It changes no answer but takes space. Each step takes some milliseconds. */
import type { OpenDatabase } from '../file/open.ts';
import { spend } from './spend.ts';

const stepRows = 2_000;
const readBlocks = 500;

/** Index entries: terms, and the postings of contents. */
export function* sweepFinds(db: OpenDatabase): Generator<void> {
  const post = db.prepare<[number, number, number], { term: number; trace: number }>(
    'SELECT term, trace FROM trace_term WHERE (term, trace) > (?, ?) ORDER BY term, trace LIMIT 1 OFFSET ?',
  );
  const drop = db.prepare(
    `DELETE FROM trace_term WHERE (term, trace) > (?, ?) AND (term, trace) <= (?, ?) AND NOT EXISTS (SELECT 1 FROM trace WHERE id = trace_term.trace)`,
  );
  for (let from = { term: 0, trace: 0 }; ; ) {
    const to = post.get(from.term, from.trace, stepRows);
    const { term, trace } = to ?? { term: Number.MAX_SAFE_INTEGER, trace: Number.MAX_SAFE_INTEGER };
    drop.run(from.term, from.trace, term, trace);
    yield;
    if (!to) break;
    from = to;
  }
  const empty = db
    .prepare<[], number>('SELECT first FROM content_segment WHERE NOT EXISTS (SELECT 1 FROM span WHERE id BETWEEN first AND last)')
    .pluck()
    .all();
  const dropSegment = ['content_words WHERE segment', 'content_segment WHERE first'].map((of) => db.prepare(`DELETE FROM ${of} = ?`));
  yield* each(db, empty, (first) => {
    for (const each of dropSegment) each.run(first);
  });
  db.exec('DELETE FROM content_words WHERE segment NOT IN (SELECT first FROM content_segment)');
}

/** Processes as many items in each transaction as the time of a step allows. */
function* each<T>(db: OpenDatabase, some: readonly T[], act: (one: T) => void): Generator<void> {
  let at = 0;
  const step = db.transaction(() =>
    spend(() => {
      act(some[at++] as T);
      return at < some.length;
    }),
  );
  while (at < some.length) {
    step.immediate();
    yield;
  }
}

/** Unneeded blocks up to a number. */
export function* dropBlocks(db: OpenDatabase, upTo: number, isNeeded: (block: number) => boolean): Generator<void> {
  const ids = db.prepare<[number, number, number], number>('SELECT id FROM block WHERE id > ? AND id <= ? ORDER BY id LIMIT ?').pluck();
  const drop = db.prepare('DELETE FROM block WHERE id = ?');
  for (let at = 0; ; ) {
    const some = ids.all(at, upTo, readBlocks);
    if (some.length === 0) return;
    at = some.at(-1) as number;
    yield* each(
      db,
      some.filter((id) => !isNeeded(id)),
      (id) => drop.run(id),
    );
    yield;
  }
}

/** What traces that are gone leave behind: none of it changes an answer, all of it takes room. Each step is some milliseconds. */
import type { OpenDatabase } from '../open.ts';

const stepRows = 2_000;
const stepBlocks = 50;

/** What they were found by: terms, and the words of their contents. */
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
  db.exec('DELETE FROM content_segment WHERE NOT EXISTS (SELECT 1 FROM span WHERE id BETWEEN first AND last)');
  db.exec('DELETE FROM content_words WHERE segment NOT IN (SELECT first FROM content_segment)');
}

/** The blocks up to one that are not needed, a few in each transaction. */
export function* dropBlocks(db: OpenDatabase, upTo: number, isNeeded: (block: number) => boolean): Generator<void> {
  const ids = db.prepare<[number, number, number], number>('SELECT id FROM block WHERE id > ? AND id <= ? ORDER BY id LIMIT ?').pluck();
  const drop = db.prepare('DELETE FROM block WHERE id = ?');
  const dropAll = db.transaction((some: readonly number[]) => {
    for (const id of some) drop.run(id);
  });
  for (let at = 0; ; ) {
    const some = ids.all(at, upTo, stepBlocks);
    if (some.length === 0) return;
    at = some.at(-1) as number;
    dropAll.immediate(some.filter((id) => !isNeeded(id)));
    yield;
  }
}

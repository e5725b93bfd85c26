/**
 * Checks the whole store once after an unclean shutdown, while the gateway runs, like a file system check after a power cut. It goes table by
 * table, so that no snapshot is held for long and stopping waits for one table at most.
 */
import { threadPort } from '../../../platform/thread.ts';
import type { Damage } from '../../damage.ts';
import { readOrWhy } from './damaged.ts';
import { type OpenDatabase, openReader } from './open.ts';
import { storageErrorKind } from './storage-error-kind.ts';

/** Start message of the thread. */
export interface CheckTask {
  role: 'check';
  file: string;
}

export interface CheckProtocol {
  task: CheckTask;
  request: 'stop';
  reply: { kind: 'damaged'; found: Damage } | { kind: 'checked' };
}

/** Findings reported for each table. */
const findingsMax = 5;

export function runCheckThread({ file }: CheckTask): void {
  const main = threadPort<CheckProtocol>();
  let isStopped = false;
  main.on('message', () => {
    isStopped = true;
    main.close();
  });
  const findings = checkStore(openReader(file));
  const step = () => {
    if (isStopped) return;
    const { done, value } = findings.next();
    if (done) {
      main.postMessage({ kind: 'checked' });
      main.close();
      return;
    }
    for (const found of value) main.postMessage({ kind: 'damaged', found });
    setImmediate(step);
  };
  step();
}

/** Yields the findings of one table after the other, and closes the connection at the end. */
export function* checkStore(db: OpenDatabase): Generator<Damage[]> {
  try {
    const { value: tables, why = '' } = readOrWhy(() => tablesOf(db));
    if (!tables) yield [damageOf('sqlite_schema', why)];
    for (const table of tables ?? []) yield checkTable(db, table);
  } finally {
    db.close();
  }
}

/** All tables from the schema table, or the schema table itself when that is damaged. */
function tablesOf(db: OpenDatabase): string[] {
  const names = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY rootpage").pluck();
  return ['sqlite_schema', ...names.all()];
}

function checkTable(db: OpenDatabase, table: string): Damage[] {
  try {
    const check = db.prepare<[], string>(`PRAGMA integrity_check("${table.replaceAll('"', '""')}")`).pluck();
    return check
      .all()
      .filter((line) => line !== 'ok')
      .slice(0, findingsMax)
      .map((line) => damageOf(table, line));
  } catch (error) {
    if (storageErrorKind(error) !== 'corrupt') throw error;
    return [damageOf(table, (error as Error).message)];
  }
}

const damageOf = (table: string, line: string): Damage => ({
  kind: 'database',
  id: `${table}: ${line}`,
  why: `Table ${table}: ${line.split('\n', 1)[0]}`,
});

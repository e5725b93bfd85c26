/**
 * What a test runner tells while it runs: one JSON line for each event, so that what is known outlives a runner that dies, and a
 * journal that stops growing means a runner that hangs.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** `file` is a path relative to the folder of the runner, with slashes; `name` is unique in its file, unless two tests share a name. */
export type Line =
  /** The files that the runner has found, before it runs any. */
  | { kind: 'files'; files: string[] }
  /** A test or a hook has begun: a sign of life, and the last one says what hangs. */
  | { kind: 'began'; file: string; name: string }
  | { kind: 'ran'; file: string; name: string; state: 'passed' | 'failed' | 'skipped'; why?: string }
  /** Every test of the file has been told. `errors` are those outside its tests: an import, a hook of the file or of a suite. */
  | { kind: 'whole'; file: string; errors: string[] }
  /** An error that belongs to no test, with its file where that is known. */
  | { kind: 'error'; file?: string; why: string }
  /** The runner has told everything. */
  | { kind: 'end' };

/** Names the journal of a runner to the reporter inside it. Without it the reporter is silent. */
export const journalVariable = 'GLASSHOUSE_TEST_JOURNAL';

/** Appends synchronously: a line that was told must not be lost when the runner is killed in the next moment. */
export function openJournal(file = process.env[journalVariable]): (line: Line) => void {
  if (!file) return () => {};
  mkdirSync(dirname(file), { recursive: true });
  return (line) => appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/** All whole lines; none when there is no such file. */
export function readJournal(file: string): Line[] {
  if (!existsSync(file)) return [];
  const texts = readFileSync(file, 'utf8').split('\n');
  // What follows the last newline is nothing, or a line that a killed runner did not finish.
  return texts.slice(0, -1).map((text) => JSON.parse(text) as Line);
}

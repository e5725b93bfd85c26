/**
 * The journal of a test runner: one JSON line for each event while it runs, so that results survive a crash of the runner, and a journal
 * that stops growing means a runner that hangs.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** `file` is relative to the folder of the runner, with forward slashes; `name` is unique in its file, unless two tests share a name. */
export type Line =
  /** The files that the runner found, written before it runs any. */
  | { kind: 'files'; files: string[] }
  /** A test or a hook started. The last of these names the test that hangs. */
  | { kind: 'began'; file: string; name: string }
  | { kind: 'ran'; file: string; name: string; state: 'passed' | 'failed' | 'skipped'; why?: string }
  /**
   * Every test of the file is in the journal. `errors` are those outside its tests: an import, a hook of the file or of a suite. `ms` is how
   * long the file took, by the clock; journals of before November 2026 have none.
   */
  | { kind: 'whole'; file: string; errors: string[]; ms?: number }
  /** Processor time of a file of tests, with that of the processes it started, in seconds. */
  | { kind: 'processor'; file: string; seconds: number }
  /** An error outside of tests, with its file where that is known. */
  | { kind: 'error'; file?: string; why: string }
  /** The runner has reported everything. */
  | { kind: 'end' };

/** Environment variable that tells the reporter inside a runner the path of the journal. Without it the reporter writes nothing. */
export const journalVariable = 'GLASSHOUSE_TEST_JOURNAL';

/** Appends synchronously, so that no line is lost when the runner is killed right after it. */
export function openJournal(file = process.env[journalVariable]): (line: Line) => void {
  if (!file) return () => {};
  mkdirSync(dirname(file), { recursive: true });
  return (line) => appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/** All complete lines; none when the file does not exist. */
export function readJournal(file: string): Line[] {
  if (!existsSync(file)) return [];
  const texts = readFileSync(file, 'utf8').split('\n');
  // After the last newline there is nothing, or an incomplete line of a killed runner.
  return texts.slice(0, -1).map((text) => JSON.parse(text) as Line);
}

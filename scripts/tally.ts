/** What `npm test` closes with, over both runners. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

export interface Tally {
  passed: number;
  /** What failed, each with the beginning of why: the closing repeats it, for whoever reads only the end of a long log. */
  failures: string[];
  /** Skipped with a reason given. */
  excused: string[];
  /** Skipped without one. A silent skip reads like a pass, so it counts as a failure. */
  silent: string[];
}

export const folder = join(import.meta.dirname, '../.cache/test');

export const noTests = (): Tally => ({ passed: 0, failures: [], excused: [], silent: [] });

export function countFailure(tally: Tally, name: string, why: string | undefined): void {
  const lines = stripVTControlCharacters(why ?? 'without a message')
    .trim()
    .split('\n')
    .slice(0, 6);
  tally.failures.push([name, ...lines].join('\n    '));
}

export function countSkip(tally: Tally, name: string, reason: string | undefined): void {
  if (reason) tally.excused.push(`${name} (${reason})`);
  else tally.silent.push(name);
}

/** Undefined when the runner died before it could write one. */
export function readTally(runner: string): Tally | undefined {
  const file = join(folder, `${runner}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Tally) : undefined;
}

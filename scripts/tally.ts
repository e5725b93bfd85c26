/** What `npm test` closes with, over both runners. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Tally {
  passed: number;
  failed: number;
  /** Skipped with a reason given. */
  excused: string[];
  /** Skipped without one. A silent skip reads like a pass, so it counts as a failure. */
  silent: string[];
}

export const folder = join(import.meta.dirname, '../.cache/test');

export const noTests = (): Tally => ({ passed: 0, failed: 0, excused: [], silent: [] });

export function countSkip(tally: Tally, name: string, reason: string | undefined): void {
  if (reason) tally.excused.push(`${name} (${reason})`);
  else tally.silent.push(name);
}

/** Undefined when the runner died before it could write one. */
export function readTally(runner: string): Tally | undefined {
  const file = join(folder, `${runner}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Tally) : undefined;
}

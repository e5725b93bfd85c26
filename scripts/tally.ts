/** What `npm test` closes with, over both runners. */
import { stripVTControlCharacters } from 'node:util';

export interface Tally {
  passed: number;
  /** What failed, each with the beginning of why: the closing repeats it, for whoever reads only the end of a long log. */
  failures: string[];
  /** What failed once and passed once, each with the beginning of why it failed. Counted in `passed` too where it is a test. */
  flaky: string[];
  /** Skipped with a reason given. */
  excused: string[];
  /** Skipped without one. A silent skip reads like a pass, so it counts as a failure. */
  silent: string[];
  /** What happened to the runner itself: that it died and was started again, say. */
  told: string[];
}

export const noTests = (): Tally => ({ passed: 0, failures: [], flaky: [], excused: [], silent: [], told: [] });

export function countFailure(tally: Tally, name: string, why: string | undefined): void {
  tally.failures.push([name, ...beginning(why, 6)].join('\n    '));
}

/** One line: the name and the first line of why. */
export function countFlaky(tally: Tally, name: string, why: string | undefined): void {
  tally.flaky.push([name, ...beginning(why, 1)].join(': '));
}

export function countSkip(tally: Tally, name: string, reason: string | undefined): void {
  if (reason) tally.excused.push(`${name} (${reason})`);
  else tally.silent.push(name);
}

const beginning = (why: string | undefined, linesMax: number): string[] =>
  stripVTControlCharacters(why ?? 'without a message')
    .trim()
    .split('\n')
    .slice(0, linesMax);

/** The results that `npm test` reports at its end. */
import { stripVTControlCharacters } from 'node:util';

export interface TestResults {
  passed: number;
  /** Failed tests, each with the first lines of its error: the closing lines repeat them for those who read only the end of a long log. */
  failures: string[];
  /** What failed in one run and passed in another, each with the first line of its error. Tests among them count in `passed` too. */
  flaky: string[];
  /** Tests skipped with a reason. */
  skipped: string[];
  /** Tests skipped without a reason. Such a skip looks like a pass, so it counts as a failure. */
  skippedWithoutReason: string[];
  /** Events of the runner itself, for example that it crashed and was restarted. */
  notes: string[];
}

export const noResults = (): TestResults => ({ passed: 0, failures: [], flaky: [], skipped: [], skippedWithoutReason: [], notes: [] });

export function addFailure(results: TestResults, name: string, why: string | undefined): void {
  results.failures.push([name, ...firstLines(why, 6)].join('\n    '));
}

/** One line: the name and the first line of the error. */
export function addFlaky(results: TestResults, name: string, why: string | undefined): void {
  results.flaky.push([name, ...firstLines(why, 1)].join(': '));
}

export function addSkip(results: TestResults, name: string, reason: string | undefined): void {
  if (reason) results.skipped.push(`${name} (${reason})`);
  else results.skippedWithoutReason.push(name);
}

const firstLines = (why: string | undefined, count: number): string[] =>
  stripVTControlCharacters(why ?? 'without a message')
    .trim()
    .split('\n')
    .slice(0, count);

import type { Tally } from './tally.ts';

/** How the parts of `npm test` ended, each by its exit code. */
export interface Ends {
  isChecked: boolean;
  isTested: boolean;
  isBrowsed: boolean;
}

export interface Closing {
  ok: boolean;
  /** The last is `N passed, N failed`, alone and plain, for programs that read it. */
  lines: string[];
}

/** Sums up what both runners said. `undefined` stands for a runner that left no report: it died, so it failed. */
export function closing(ends: Ends, reports: Record<string, Tally | undefined>): Closing {
  const lines: string[] = [];
  let [passed, failed, flaky] = [0, 0, 0];
  for (const [runner, tally] of Object.entries(reports)) {
    if (!tally || tally.passed + tally.failures.length === 0) {
      lines.push(`${runner} ran no test, which counts as a failure`);
      failed += 1;
    }
    passed += tally?.passed ?? 0;
    flaky += tally?.flaky.length ?? 0;
    failed += (tally?.failures.length ?? 0) + (tally?.silent.length ?? 0);
    for (const name of tally?.excused ?? []) lines.push(`skipped: ${name}`);
    for (const name of tally?.silent ?? []) lines.push(`skipped without a reason, which counts as a failure: ${name}`);
  }
  const all = Object.values(reports).filter((tally) => tally !== undefined);
  for (const { told } of all) lines.push(...told);
  for (const tally of all) for (const one of tally.flaky) lines.push(`flaky: ${one}`);
  for (const tally of all) for (const failure of tally.failures) lines.push(`failed: ${failure}`);
  if (flaky > 0) lines.push(`${flaky} flaky: failed once and passed once, which does not fail the run`);
  if (!ends.isChecked) lines.push('check failed, see above');
  lines.push(`${passed} passed, ${failed} failed`);
  return { ok: ends.isChecked && ends.isTested && ends.isBrowsed && failed === 0, lines };
}

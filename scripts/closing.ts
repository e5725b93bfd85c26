import type { TestResults } from './test-results.ts';

/** Which parts of `npm test` passed, by their exit codes. */
export interface Parts {
  checks: boolean;
  tests: boolean;
  journeys: boolean;
}

export interface ClosingReport {
  ok: boolean;
  /** The last line is `N passed, N failed` and nothing else, because programs read it. */
  lines: string[];
}

/** Sums up the results of both runners. `undefined` is a runner that crashed before it reported, which counts as a failure. */
export function closingReport(parts: Parts, reports: Record<string, TestResults | undefined>): ClosingReport {
  const lines: string[] = [];
  let [passed, failed, flaky] = [0, 0, 0];
  for (const [runner, results] of Object.entries(reports)) {
    if (!results || results.passed + results.failures.length === 0) {
      lines.push(`${runner} ran no test, which counts as a failure`);
      failed += 1;
    }
    passed += results?.passed ?? 0;
    flaky += results?.flaky.length ?? 0;
    failed += (results?.failures.length ?? 0) + (results?.skippedWithoutReason.length ?? 0);
    for (const name of results?.skipped ?? []) lines.push(`skipped: ${name}`);
    for (const name of results?.skippedWithoutReason ?? []) lines.push(`skipped without a reason, which counts as a failure: ${name}`);
  }
  const all = Object.values(reports).filter((results) => results !== undefined);
  for (const { notes } of all) lines.push(...notes);
  for (const results of all) for (const test of results.flaky) lines.push(`flaky: ${test}`);
  for (const results of all) for (const failure of results.failures) lines.push(`failed: ${failure}`);
  if (flaky > 0) lines.push(`${flaky} flaky: failed once and passed once, which does not fail the run`);
  if (!parts.checks) lines.push('check failed, see above');
  lines.push(`${passed} passed, ${failed} failed`);
  return { ok: parts.checks && parts.tests && parts.journeys && failed === 0, lines };
}

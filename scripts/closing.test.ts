import { expect, test } from 'vitest';
import { closingReport } from './closing.ts';
import { addFailure, addFlaky, addSkip, noResults } from './test-results.ts';

const allPassed = { checks: true, tests: true, journeys: true };
const resultsWith = (passed: number) => ({ ...noResults(), passed });

test('the closing line has the sum of both runners', () => {
  expect(closingReport(allPassed, { vitest: resultsWith(3), playwright: resultsWith(2) })).toEqual({
    ok: true,
    lines: ['5 passed, 0 failed'],
  });
});

test('one failed test fails the run, and the closing lines name it with its error', () => {
  const vitest = resultsWith(3);
  addFailure(vitest, 'costs › are summed', '\u001b[31mexpected 1 to be 2\u001b[39m\n- 2\n+ 1');
  expect(closingReport(allPassed, { vitest, playwright: resultsWith(2) })).toEqual({
    ok: false,
    lines: ['failed: costs › are summed\n    expected 1 to be 2\n    - 2\n    + 1', '5 passed, 1 failed'],
  });
});

test('a skip with a reason is listed, a skip without one fails the run', () => {
  const vitest = resultsWith(3);
  addSkip(vitest, 'opens a window', 'no Electron binary here');
  expect(closingReport(allPassed, { vitest })).toEqual({
    ok: true,
    lines: ['skipped: opens a window (no Electron binary here)', '3 passed, 0 failed'],
  });
  addSkip(vitest, 'sums the costs', undefined);
  const { ok, lines } = closingReport(allPassed, { vitest });
  expect(ok).toBe(false);
  expect(lines.slice(1)).toEqual(['skipped without a reason, which counts as a failure: sums the costs', '3 passed, 1 failed']);
});

test('a runner that crashed or ran nothing fails the run', () => {
  expect(closingReport(allPassed, { vitest: resultsWith(3), playwright: undefined }).ok).toBe(false);
  expect(closingReport(allPassed, { vitest: resultsWith(3), playwright: resultsWith(0) }).ok).toBe(false);
});

test('a failed check fails the run even when every test passed', () => {
  expect(closingReport({ ...allPassed, checks: false }, { vitest: resultsWith(3), playwright: resultsWith(2) }).ok).toBe(false);
});

test('a runner with a bad exit code fails the run even when it reported no failed test', () => {
  expect(closingReport({ ...allPassed, tests: false }, { vitest: resultsWith(3), playwright: resultsWith(2) }).ok).toBe(false);
});

test('flaky tests are listed and counted, events of a runner are listed, and neither fails the run', () => {
  const vitest = { ...resultsWith(3), notes: ['vitest ended without its report (SIGKILL) and was started again for 2 files'] };
  addFlaky(vitest, 'a.test.ts > costs are summed', '\u001b[31mexpected 1 to be 2\u001b[39m\n- 2\n+ 1');
  expect(closingReport(allPassed, { vitest, playwright: resultsWith(2) })).toEqual({
    ok: true,
    lines: [
      'vitest ended without its report (SIGKILL) and was started again for 2 files',
      'flaky: a.test.ts > costs are summed: expected 1 to be 2',
      '1 flaky: failed once and passed once, which does not fail the run',
      '5 passed, 0 failed',
    ],
  });
});

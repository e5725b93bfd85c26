import { expect, test } from 'vitest';
import { closing } from './closing.ts';
import { countFailure, countFlaky, countSkip, noTests } from './tally.ts';

const well = { isChecked: true, isTested: true, isBrowsed: true };
const ran = (passed: number) => ({ ...noTests(), passed });

test('two runners that passed close with the sum of both', () => {
  expect(closing(well, { vitest: ran(3), playwright: ran(2) })).toEqual({ ok: true, lines: ['5 passed, 0 failed'] });
});

test('one failed test fails the run, and the end of the log says which and why', () => {
  const vitest = ran(3);
  countFailure(vitest, 'costs › are summed', '\u001b[31mexpected 1 to be 2\u001b[39m\n- 2\n+ 1');
  expect(closing(well, { vitest, playwright: ran(2) })).toEqual({
    ok: false,
    lines: ['failed: costs › are summed\n    expected 1 to be 2\n    - 2\n    + 1', '5 passed, 1 failed'],
  });
});

test('a skip with a reason is told, a skip without one fails the run', () => {
  const vitest = ran(3);
  countSkip(vitest, 'opens a window', 'no Electron binary here');
  expect(closing(well, { vitest })).toEqual({
    ok: true,
    lines: ['skipped: opens a window (no Electron binary here)', '3 passed, 0 failed'],
  });
  countSkip(vitest, 'sums the costs', undefined);
  const { ok, lines } = closing(well, { vitest });
  expect(ok).toBe(false);
  expect(lines.slice(1)).toEqual(['skipped without a reason, which counts as a failure: sums the costs', '3 passed, 1 failed']);
});

test('a runner that died or ran nothing fails the run', () => {
  expect(closing(well, { vitest: ran(3), playwright: undefined }).ok).toBe(false);
  expect(closing(well, { vitest: ran(3), playwright: ran(0) }).ok).toBe(false);
});

test('a refused check fails the run though every test passed', () => {
  expect(closing({ ...well, isChecked: false }, { vitest: ran(3), playwright: ran(2) }).ok).toBe(false);
});

test('a runner that ends badly fails the run though it reported no failed test', () => {
  expect(closing({ ...well, isTested: false }, { vitest: ran(3), playwright: ran(2) }).ok).toBe(false);
});

test('what is flaky is named and counted, and so is what happened to a runner; neither fails the run', () => {
  const vitest = { ...ran(3), told: ['vitest ended without its report (SIGKILL) and was started again for 2 files'] };
  countFlaky(vitest, 'a.test.ts > costs are summed', '\u001b[31mexpected 1 to be 2\u001b[39m\n- 2\n+ 1');
  expect(closing(well, { vitest, playwright: ran(2) })).toEqual({
    ok: true,
    lines: [
      'vitest ended without its report (SIGKILL) and was started again for 2 files',
      'flaky: a.test.ts > costs are summed: expected 1 to be 2',
      '1 flaky: failed once and passed once, which does not fail the run',
      '5 passed, 0 failed',
    ],
  });
});

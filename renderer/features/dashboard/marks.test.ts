import { expect, it } from 'vitest';
import type { ActivityTrace } from '../../../shared/contract/viewer/activity.ts';
import { kindOf, markTitle, outlierOf, scaleOf } from './marks.ts';

const aTrace = (some: Partial<ActivityTrace>): ActivityTrace => ({
  ...{ id: 'a', name: 'run', at: 0, duration_ms: 1000, has_failed: false, errors: 0, running: 0 },
  ...{ cost: 0, input_tokens: 0, output_tokens: 0, cache_read_tokens: 0 },
  ...some,
});

it('failed, errors inside and running are told apart', () => {
  expect([{ has_failed: true, errors: 2 }, { errors: 2, running: 1 }, { running: 1 }, {}].map((some) => kindOf(aTrace(some)))).toEqual([
    'failed',
    'inside',
    'running',
    'fine',
  ]);
  expect(markTitle(aTrace({ errors: 2, cost: 0.5 }))).toMatch(/^run, 1\.00 s, \$0\.500, 2 errors inside, 1 Jan 1970/);
});

it('one long trace does not flatten the others', () => {
  const usual = Array.from({ length: 20 }, (_, at) => 100 + at);
  expect(scaleOf([...usual, 90_000])).toEqual({ top: expect.closeTo(142.8, 1), above: 1 });
  expect(scaleOf(usual)).toEqual({ top: 119, above: 0 });
  expect(scaleOf([1, 2, 900])).toEqual({ top: 900, above: 0 });
  expect(scaleOf([])).toEqual({ top: 0, above: 0 });
});

it('an outlier is much longer than any other trace', () => {
  const long = aTrace({ id: 'long', duration_ms: 9000 });
  expect(outlierOf([aTrace({}), long, aTrace({})])).toBe(long);
  expect(outlierOf([aTrace({}), aTrace({ duration_ms: 1200 })])).toBeNull();
  expect(outlierOf([long])).toBeNull();
});

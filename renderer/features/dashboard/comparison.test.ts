import { expect, it } from 'vitest';
import type { ActivityFigures } from '../../../shared/contract/viewer/activity.ts';
import { change, figuresOf } from './comparison.ts';

const figures = (some: Partial<ActivityFigures>): ActivityFigures => ({
  ...{ traces: 1000, errors: 0, errors_inside: 0, spans: 1000, cost: 0, input_tokens: 100, output_tokens: 10 },
  ...{ cache_read_tokens: 80, cache_write_tokens: 0, p50_ms: 2000, p95_ms: 9000 },
  ...{ first_tokens: 500, first_token_p50_ms: 400, first_token_p95_ms: 900 },
  ...some,
});
const words = (now: Partial<ActivityFigures>, before: Partial<ActivityFigures> | null) =>
  Object.fromEntries(
    figuresOf(figures(now), before && figures(before), 'the hour before').map(({ name, value, note, isWorse }) => [
      name,
      `${value} | ${note}${isWorse ? ' | worse' : ''}`,
    ]),
  );

it('says beside each figure what it was', () => {
  expect(words({ traces: 1180, errors: 40, cost: 2, p95_ms: 12_000 }, { errors: 24, cost: 1, cache_read_tokens: 95 })).toEqual({
    Traces: '1\u202f180 | +18 %',
    Failed: '40 | 3 %, was 2 % | worse',
    'Errors inside': '0 | ',
    Cost: '$2.00 | +100 %',
    'Latency p95': '12.0 s | was 9.00 s, p50 2.00 s | worse',
    'First token p95': '900 ms | was 900 ms, p50 400 ms',
    'Read from cache': '80 % | was 95 % | worse',
  });
});

it('a small period before is not compared, and a few values have no 95th percentile', () => {
  const few = words({ traces: 23, errors: 3, first_tokens: 4 }, { traces: 4, errors: 1 });
  expect(few).toMatchObject({
    Traces: '23 | 4 in the hour before',
    Failed: '3 | 13 %',
    'Latency, median': '2.00 s | too few traces for p95',
  });
  expect(few).toMatchObject({ 'First token, median': '400 ms | too few calls for p95' });
  expect(words({ cost: 1 }, { traces: 4 })).toMatchObject({ Cost: '$1.00 | too few to compare' });
  expect(words({ cost: 1 }, null)).toMatchObject({ Cost: '$1.00 | ', 'Read from cache': '80 % | of input tokens' });
});

it('a change is in percent of what was', () => {
  expect([change(118, 100), change(96, 100), change(1000, 1000), change(3, 0), change(0, 0)]).toEqual([
    '+18 %',
    '−4 %',
    'unchanged',
    'none before',
    'unchanged',
  ]);
});

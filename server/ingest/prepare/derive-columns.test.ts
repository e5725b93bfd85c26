import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { aSpan } from '../../../shared/fixtures/otlp.ts';
import { createPricing } from '../cost/pricing.ts';
import { decodeJson } from '../otlp/decode-json.ts';
import { deriveColumns, timesOf } from './derive-columns.ts';

const received_ms = Date.UTC(2026, 0, 15, 12);
const day = 24 * 3600 * 1000;
const ns = (ms: number, rest = 0) => String(BigInt(ms) * 1_000_000n + BigInt(rest));

describe('times of a span', () => {
  it('lose no nanosecond of the start', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 9_007_199_254_740_991_999n }), (start) => {
        const { start_us, start_rest_ns } = timesOf(String(start), '0', received_ms);
        expect(BigInt(start_us) * 1000n + BigInt(start_rest_ns)).toBe(start);
      }),
    );
  });

  it('lose no nanosecond of the duration', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 62n }), fc.nat({ max: Number.MAX_SAFE_INTEGER }), (start, duration) => {
        expect(timesOf(String(start), String(start + BigInt(duration)), received_ms).duration_ns).toBe(duration);
      }),
    );
  });

  test.each<[why: string, start: string, end: string]>([
    ['the end is missing', ns(received_ms), '0'],
    ['the end comes before the start', ns(received_ms, 5), ns(received_ms, 4)],
    ['both are the same', ns(received_ms), ns(received_ms)],
    ['nothing is known', '0', '0'],
  ])('give a duration of 0 when %s', (_, start, end) => {
    expect(timesOf(start, end, received_ms).duration_ns).toBe(0);
  });

  it('start at the arrival when the start is missing', () => {
    expect(timesOf('0', ns(received_ms), received_ms)).toEqual({
      start_us: received_ms * 1000,
      start_rest_ns: 0,
      duration_ns: 0,
      clock_suspect: true,
    });
  });

  it('lose no nanosecond of a long duration from the arrival on, when the start is missing', () => {
    fc.assert(
      fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), (duration) => {
        const end = String(BigInt(ns(received_ms)) + BigInt(duration));
        expect(timesOf('0', end, received_ms).duration_ns).toBe(duration);
      }),
    );
  });

  test.each<[when: string, ms: number, suspect: boolean]>([
    ['just before the year 2000', Date.UTC(2000, 0, 1) - 1, true],
    ['at the start of 2000', Date.UTC(2000, 0, 1), false],
    ['now', received_ms, false],
    ['a day ahead', received_ms + day, false],
    ['more than a day ahead', received_ms + day + 1, true],
  ])('are suspect or not: %s', (_, ms, suspect) => {
    expect(timesOf(ns(ms), ns(ms), received_ms).clock_suspect).toBe(suspect);
  });

  it('can be computed for every pair of unsigned 64-bit numbers', () => {
    const time = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);
    fc.assert(
      fc.property(time, time, (start, end) => {
        const times = timesOf(start, end, received_ms);
        expect(Number.isFinite(times.start_us) && times.start_us >= 0 && times.duration_ns >= 0).toBe(true);
        expect(new Date(times.start_us / 1000).getTime()).not.toBeNaN();
      }),
    );
  });
});

describe('a span that cannot be normalised', () => {
  it('keeps its OTLP fields, and is never refused', () => {
    const { spans } = decodeJson(
      Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [aSpan({ name: 'odd', status: 'ERROR' })] }] }] })),
    );
    const odd = spans[0];
    if (!odd) throw new Error('the span was decoded');
    Object.defineProperty(odd.span, 'attributes', { get: () => [['gen_ai.input.messages', { map: null }]] });
    const { columns, warnings } = deriveColumns(odd, createPricing(), received_ms);
    expect(columns).toMatchObject({ name: 'odd', status: 'ERROR', preview: { input: null, output: null } });
    expect(warnings).toEqual([expect.stringContaining('could not be read beyond OTLP')]);
  });
});

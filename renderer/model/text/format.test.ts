import fc from 'fast-check';
import { expect, it } from 'vitest';
import { milliseconds } from '../time/time.ts';
import { bytes, cost, count, duration, percent, plural, tokens } from './format.ts';

const cases =
  <T>(format: (value: T) => string, table: [T, string][]) =>
  () => {
    for (const [value, text] of table) expect(format(value)).toBe(text);
  };

it(
  'writes durations with the unit that fits',
  cases(
    (ms: number) => duration(milliseconds(ms)),
    [
      [0, '0 ms'],
      [0.0004, '<1 µs'],
      [0.0056, '5.6 µs'],
      [0.42, '420 µs'],
      [0.9996, '1 ms'],
      [4.26, '4.3 ms'],
      [820.4, '820 ms'],
      [999.6, '1.00 s'],
      [4310, '4.31 s'],
      [48_200, '48.2 s'],
      [59_960, '1 m 00 s'],
      [188_000, '3 m 08 s'],
      [3_599_600, '1 h 00 m'],
      [7_500_000, '2 h 05 m'],
      [273_600_000, '3 d 04 h'],
      [Number.NaN, '—'],
      [-1, '—'],
    ],
  ),
);

it(
  'writes tokens in thousands',
  cases(tokens, [
    [0, '0'],
    [612, '612'],
    [1000, '1.0 k'],
    [9810, '9.8 k'],
    [9990, '10.0 k'],
    [21_400, '21.4 k'],
    [182_000, '182 k'],
    [999_600, '1.00 M'],
    [1_250_000, '1.25 M'],
  ]),
);

it(
  'keeps two significant digits of a tiny cost and the cents of a large one',
  cases(cost, [
    [0, '$0'],
    [0.00000049, '$0.00000049'],
    [0.000422, '$0.00042'],
    [0.0181, '$0.0181'],
    [0.214, '$0.214'],
    [0.9999, '$1.000'],
    [12.4, '$12.40'],
    [1240.2, '$1\u202f240'],
  ]),
);

it('writes shares, sizes and counts', () => {
  cases(percent, [
    [0, '0 %'],
    [0.004, '<1 %'],
    [0.643, '64 %'],
    [1, '100 %'],
  ])();
  cases(bytes, [
    [812, '812 B'],
    [2400, '2.4 kB'],
    [21_400, '21.4 kB'],
    [1_900_000, '1.9 MB'],
    [74_100_000_000, '74.1 GB'],
    [2_000_000_000_000, '2.00 TB'],
  ])();
  cases(count, [
    [12, '12'],
    [2314, '2\u202f314'],
    [1_234_567, '1\u202f234\u202f567'],
  ])();
  expect(plural(1, 'span')).toBe('1 span');
  expect(plural(0, 'span')).toBe('0 spans');
  expect(plural(2, 'match', 'matches')).toBe('2 matches');
});

it('never writes an exponent or a bare number', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e12, noNaN: true }), (value) => {
      expect(duration(milliseconds(value))).toMatch(/^<?[\d.]+ (µs|ms|s|m \d\d s|h \d\d m|d \d\d h)$/);
      expect(cost(value)).toMatch(/^<?\$[\d.\u202f]+$/);
    }),
  );
});

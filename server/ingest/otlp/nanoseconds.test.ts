import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { UnreadableSpan } from './decoded.ts';
import { readNanoseconds } from './nanoseconds.ts';

const read = (value: unknown) => readNanoseconds(value, 'startTimeUnixNano');

describe('nanoseconds', () => {
  test.each<[sent: unknown, read: string]>([
    ['1768471200123456789', '1768471200123456789'],
    ['0', '0'],
    ['00012', '12'],
    ['18446744073709551615', '18446744073709551615'],
    [1768471200000, '1768471200000'],
    [1.9, '1'],
    [0, '0'],
    [undefined, '0'],
    [null, '0'],
    ['', '0'],
    ['2026-01-15T10:00:00Z', '1768471200000000000'],
    ['2026-01-15T10:00:00.123456789Z', '1768471200123456789'],
    ['2026-01-15T10:00:00.1234Z', '1768471200123400000'],
    ['2026-01-15T12:00:00+02:00', '1768471200000000000'],
    ['1970-01-01T00:00:00Z', '0'],
  ])('%j is %s', (sent, nanoseconds) => {
    expect(read(sent)).toBe(nanoseconds);
  });

  test.each<[sent: unknown]>([
    ['18446744073709551616'],
    ['99999999999999999999'],
    ['123456789012345678901'],
    ['-1'],
    [-1],
    ['1.5'],
    ['1e18'],
    ['0x10'],
    [' 12 '],
    ['soon'],
    ['2026-13-45T99:00:00Z'],
    ['1969-12-31T23:59:59Z'],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [1e20],
    [true],
    [{}],
    [[]],
    [{ toString: 1, valueOf: 1 }],
  ])('%j rejects the span', (sent) => {
    expect(() => read(sent)).toThrow(UnreadableSpan);
  });

  it('names the field that could not be read', () => {
    expect(() => readNanoseconds('soon', 'an event timeUnixNano')).toThrow('an event timeUnixNano');
  });

  it('keeps every unsigned 64-bit number to the nanosecond', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (nanoseconds) => {
        expect(read(nanoseconds.toString())).toBe(nanoseconds.toString());
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../fixtures/property-runs.ts';
import { readId } from '../../../ingest/otlp/identifiers.ts';
import { readStoredId, storeId } from './id-codec.ts';

const traceId = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
const spanId = 'a1b2c3d4e5f60718';

describe('a stored id', () => {
  it.each([traceId, spanId])('takes half the bytes of %s', (id) => {
    expect(storeId(id)).toEqual(Buffer.from(id, 'hex'));
    expect(readStoredId(storeId(id))).toBe(id);
  });

  it.each(['run-42', '', 'abc', traceId.toUpperCase(), `${spanId}0`, `${traceId}0`, '🙂', 'a1b2c3d4e5f6071g'])(
    'stays a text when it is %j',
    (id) => {
      expect(storeId(id)).toBe(id);
      expect(readStoredId(storeId(id))).toBe(id);
    },
  );

  it('is read from any kind of bytes that the driver returns', () => {
    expect(readStoredId(Buffer.from(spanId, 'hex'))).toBe(spanId);
  });

  it('reads back as the same id for every valid id, and no two ids are stored alike', () => {
    const hex = (size: number) => fc.uint8Array({ minLength: size, maxLength: size }).map((bytes) => Buffer.from(bytes).toString('hex'));
    const id = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), hex(16), hex(8), hex(4)).filter((text) => readId(text, 16) === text);
    fc.assert(
      fc.property(id, id, (one, two) => {
        expect(readStoredId(storeId(one))).toBe(one);
        const [left, right] = [storeId(one), storeId(two)];
        const equal = typeof left === 'string' || typeof right === 'string' ? left === right : left.equals(right);
        expect(equal).toBe(one === two);
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });
});

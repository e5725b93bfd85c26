import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inflate, UnreadableEncoding } from './inflate.ts';

const limit = 1024 * 1024;
const text = Buffer.from('spans '.repeat(1000));

function refusal(bytes: Uint8Array): string {
  try {
    inflate(bytes, limit);
  } catch (error) {
    if (error instanceof UnreadableEncoding) return error.code;
    throw error;
  }
  return 'inflated';
}

describe('gzip', () => {
  it('gives back what was packed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
        expect(Buffer.from(inflate(gzipSync(bytes), limit))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it.each([1, 100, 5_000, 100_000])('gives %i bytes back in a buffer that nobody else uses', (size) => {
    const others = Buffer.from('a small buffer of another');
    const { buffer } = inflate(gzipSync(Buffer.alloc(size, 'x')), limit);
    expect(buffer).not.toBe(others.buffer);
    expect(buffer.byteLength).toBeLessThan(size + 70_000);
  });

  it('refuses a trailer that promises another size', () => {
    for (const said of [0, 1, limit, 0xffffffff]) {
      const packed = gzipSync(text);
      packed.writeUInt32LE(said, packed.length - 4);
      expect(refusal(packed)).toBe('invalid_content_encoding');
    }
  });

  it('takes an empty body for empty', () => {
    expect(inflate(new Uint8Array(0), limit)).toHaveLength(0);
  });

  it('joins the members of one stream, and counts them together', () => {
    const half = gzipSync(Buffer.alloc(limit / 2));
    expect(inflate(Buffer.concat([half, half]), limit)).toHaveLength(limit);
    expect(refusal(Buffer.concat([half, half, gzipSync(Buffer.from('x'))]))).toBe('payload_too_large');
  });

  it('may inflate to the limit and no byte more', () => {
    expect(inflate(gzipSync(Buffer.alloc(limit)), limit)).toHaveLength(limit);
    expect(refusal(gzipSync(Buffer.alloc(limit + 1)))).toBe('payload_too_large');
  });

  it('stops a bomb at the limit, whatever it would become', () => {
    const bomb = gzipSync(Buffer.alloc(256 * limit));
    const before = process.memoryUsage().external;
    expect(refusal(bomb)).toBe('payload_too_large');
    expect(process.memoryUsage().external - before).toBeLessThan(8 * limit);
  });

  const packed = gzipSync(text);
  const spoiled = (at: number) => Buffer.from(packed.map((byte, index) => (index === at ? byte ^ 0xff : byte)));

  it.each([
    ['plain text', text],
    ['one byte', Buffer.from([0x1f])],
    ['a stream cut short', packed.subarray(0, packed.length - 4)],
    ['a stream cut in its data', packed.subarray(0, 30)],
    ['a wrong checksum', spoiled(packed.length - 8)],
    ['a wrong length', spoiled(packed.length - 1)],
    ['bytes behind the end', Buffer.concat([packed, Buffer.from('more')])],
    ['zeros behind the end', Buffer.concat([packed, Buffer.alloc(16)])],
  ])('refuses %s', (_, bytes) => {
    expect(refusal(bytes)).toBe('invalid_content_encoding');
  });

  it('answers any spoiled stream with a refusal or with bytes, never with a fault', () => {
    fc.assert(
      fc.property(fc.nat(packed.length - 1), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        refusal(Buffer.from(packed.map((byte, index) => (index === at ? byte ^ mask : byte))));
      }),
    );
  });
});

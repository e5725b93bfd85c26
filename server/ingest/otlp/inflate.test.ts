import { constants, createZstdCompress, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Encoding, encodings, inflate, UnreadableEncoding } from './inflate.ts';

const limit = 1024 * 1024;
const text = Buffer.from('spans '.repeat(1000));
const packs: Record<Encoding, (bytes: Uint8Array) => Buffer> = { gzip: gzipSync, deflate: deflateSync, zstd: zstdCompressSync };

function refusal(bytes: Uint8Array, encoding: Encoding = 'gzip'): string {
  try {
    inflate(bytes, encoding, limit);
  } catch (error) {
    if (error instanceof UnreadableEncoding) return error.code;
    throw error;
  }
  return 'inflated';
}

describe.each(encodings)('%s', (encoding) => {
  const pack = packs[encoding];

  it('gives back what was packed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
        expect(Buffer.from(inflate(pack(bytes), encoding, limit))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it.each([1, 100, 5_000, 100_000])('gives %i bytes back in a buffer that nobody else uses', (size) => {
    const others = Buffer.from('a small buffer of another');
    const { buffer } = inflate(pack(Buffer.alloc(size, 'x')), encoding, limit);
    expect(buffer).not.toBe(others.buffer);
    expect(buffer.byteLength).toBeLessThan(size + 70_000);
  });

  it('takes an empty body for empty', () => {
    expect(inflate(new Uint8Array(0), encoding, limit)).toHaveLength(0);
  });

  it('may inflate to the limit and no byte more', () => {
    expect(inflate(pack(Buffer.alloc(limit)), encoding, limit)).toHaveLength(limit);
    expect(refusal(pack(Buffer.alloc(limit + 1)), encoding)).toBe('payload_too_large');
  });

  it('stops a bomb at the limit, whatever it would become', () => {
    const bomb = pack(Buffer.alloc(256 * limit));
    const before = process.memoryUsage().external;
    expect(refusal(bomb, encoding)).toBe('payload_too_large');
    expect(process.memoryUsage().external - before).toBeLessThan(8 * limit);
  });

  const packed = pack(text);

  it.each([
    ['plain text', text],
    ['one byte', packed.subarray(0, 1)],
    ['a stream cut short', packed.subarray(0, packed.length - 4)],
    ['a stream cut in its data', packed.subarray(0, packed.length >> 1)],
    ['bytes behind the end', Buffer.concat([packed, Buffer.from('more')])],
    ['zeros behind the end', Buffer.concat([packed, Buffer.alloc(16)])],
  ])('refuses %s', (_, bytes) => {
    expect(refusal(bytes, encoding)).toBe('invalid_content_encoding');
  });

  it('inflates or refuses any damaged stream, never fails otherwise', () => {
    fc.assert(
      fc.property(fc.nat(packed.length - 1), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        refusal(Buffer.from(packed.map((byte, index) => (index === at ? byte ^ mask : byte))), encoding);
      }),
    );
  });
});

describe('gzip', () => {
  it('refuses a trailer that states another size', () => {
    for (const size of [0, 1, limit, 0xffffffff]) {
      const packed = gzipSync(text);
      packed.writeUInt32LE(size, packed.length - 4);
      expect(refusal(packed)).toBe('invalid_content_encoding');
    }
  });

  it('joins the members of one stream, and counts them together', () => {
    const half = gzipSync(Buffer.alloc(limit / 2));
    expect(inflate(Buffer.concat([half, half]), 'gzip', limit)).toHaveLength(limit);
    expect(refusal(Buffer.concat([half, half, gzipSync(Buffer.from('x'))]))).toBe('payload_too_large');
  });

  it.each(['gzip', 'deflate'] as const)('refuses a wrong checksum of %s', (encoding) => {
    const packed = packs[encoding](text);
    const at = packed.length - (encoding === 'gzip' ? 8 : 1);
    expect(refusal(Buffer.from(packed.map((byte, index) => (index === at ? byte ^ 0xff : byte))), encoding)).toBe(
      'invalid_content_encoding',
    );
  });
});

describe('zstd', () => {
  const half = zstdCompressSync(Buffer.alloc(limit / 2, 'x'));

  it('joins the frames of one stream, and counts them together', () => {
    expect(inflate(Buffer.concat([half, half]), 'zstd', limit)).toHaveLength(limit);
    expect(refusal(Buffer.concat([half, half, zstdCompressSync(Buffer.from('x'))]), 'zstd')).toBe('payload_too_large');
    const empty = zstdCompressSync(new Uint8Array(0));
    expect(inflate(Buffer.concat([half, half, empty]), 'zstd', limit)).toHaveLength(limit);
    const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    expect(Buffer.from(inflate(Buffer.concat([skippable, zstdCompressSync(text)]), 'zstd', limit))).toEqual(text);
  });

  it('refuses a stream of more frames than any sender writes: each costs a decoder', () => {
    const frame = zstdCompressSync(Buffer.from('x'));
    expect(inflate(Buffer.concat(Array.from({ length: 64 }, () => frame)), 'zstd', limit)).toHaveLength(64);
    expect(refusal(Buffer.concat(Array.from({ length: 65 }, () => frame)), 'zstd')).toBe('invalid_content_encoding');
  });

  it('refuses a frame that asks for a window of 128 MiB, before it gets one', async () => {
    const stream = createZstdCompress({ params: { [constants.ZSTD_c_windowLog]: 27 } });
    stream.write(text);
    stream.end(text);
    expect(refusal(Buffer.concat(await stream.toArray()), 'zstd')).toBe('invalid_content_encoding');
  });
});

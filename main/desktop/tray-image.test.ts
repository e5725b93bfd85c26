import { crc32, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { trayImage } from './tray-image.ts';

/** Chunks of the PNG format: length, type, data and a checksum of the last two. */
function chunks(png: Buffer): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const [type, data] = [png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + length)];
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(png.subarray(at + 4, at + 8 + length)));
    found.set(type, data);
    at += 12 + length;
  }
  return found;
}

test.each([1, 2] as const)('is a PNG of 16 points at scale %i, in the requested colour', (scale) => {
  const found = chunks(trayImage(false, [10, 20, 30], scale));
  expect([...found.keys()]).toEqual(['IHDR', 'IDAT', 'IEND']);
  expect([found.get('IHDR')?.readUInt32BE(0), found.get('IHDR')?.readUInt32BE(4)]).toEqual([16 * scale, 16 * scale]);
  const pixels = inflateSync(found.get('IDAT') as Buffer);
  expect(pixels).toHaveLength(16 * scale * (1 + 64 * scale));
  expect([...pixels.subarray(1, 4)]).toEqual([10, 20, 30]);
});

test('looks different while paused', () => expect(trayImage(true, [0, 0, 0])).not.toEqual(trayImage(false, [0, 0, 0])));

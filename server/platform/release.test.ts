import { expect, test } from 'vitest';
import { release } from './release.ts';

test('a released buffer holds no memory', () => {
  const buffer = new ArrayBuffer(1024);
  release(new Uint8Array(buffer, 0, 100));
  expect(buffer.byteLength).toBe(0);
});

test('releasing twice, or after the buffer went to another thread, does nothing', () => {
  const bytes = new Uint8Array(16);
  structuredClone(null, { transfer: [bytes.buffer] });
  release(bytes);
  release(bytes);
  expect(bytes.byteLength).toBe(0);
});

/**
 * Frees the memory of a buffer at once. The garbage collector sees only a few bytes and is in no hurry, while the hundreds of kilobytes
 * behind each buffer pile up.
 * @param bytes view of a buffer of its own, never of one in Node's pool; must not be used afterwards
 */
export function release({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}

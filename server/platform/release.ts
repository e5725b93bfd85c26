/**
 * Frees the memory of a buffer at once. To the collector a buffer is a few bytes without urgency, while the hundreds of kilobytes behind each
 * one pile up.
 * @param bytes view of a buffer of its own, never of one in Node's pool; must not be used afterwards
 */
export function release({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}

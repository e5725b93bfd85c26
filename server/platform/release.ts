/**
 * Gives the memory of a buffer back as soon as nobody needs it. A buffer is a few bytes to the collector, which sees no
 * reason to hurry, while the hundreds of kilobytes behind each one pile up.
 * @param bytes a view of a buffer of its own, never of one from Node's pool; nobody may look at it afterwards
 */
export function release({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}

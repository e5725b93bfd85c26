/** Lists of ids as parameters of queries, of which each has at most 128 KiB. */

const parameterBytesMax = 100 * 1024;

/** Lists that are not too long for a parameter. */
export function partsOf(ids: readonly string[]): string[][] {
  const parts: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const id of ids) {
    const more = Buffer.byteLength(id) + 3;
    if (bytes + more > parameterBytesMax) {
      parts.push([]);
      bytes = 0;
    }
    bytes += more;
    parts.at(-1)?.push(id);
  }
  return parts;
}

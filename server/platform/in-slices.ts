/** Long lists in pieces that one turn of the event loop can take in. */

const sliceBytes = 256 * 1024;
/** Estimated size of a value beside its text. */
const valueBytes = 8;

/** Runs of about 256 KiB, each with one item at least; one empty run of an empty list. */
export function inSlices<T>(items: readonly T[]): T[][] {
  const slices: T[][] = [[]];
  let size = 0;
  for (const item of items) {
    const bytes = roughBytes(item);
    if (size > 0 && size + bytes > sliceBytes) {
      slices.push([]);
      size = 0;
    }
    slices.at(-1)?.push(item);
    size += bytes;
  }
  return slices;
}

/** Approximate size of a value as JSON, without encoding it. */
function roughBytes(value: unknown): number {
  if (typeof value === 'string') return value.length + valueBytes;
  if (typeof value !== 'object' || value === null) return valueBytes;
  let sum = valueBytes;
  for (const [key, item] of Object.entries(value)) sum += key.length + roughBytes(item);
  return sum;
}

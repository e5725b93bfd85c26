/** Splits long lists into slices that are small enough for one turn of the event loop. */

const sliceBytes = 256 * 1024;
/** Estimated size of a value, in addition to its text. */
const valueBytes = 8;

/** Slices of about 256 KiB with at least one item each; a single empty slice for an empty list. */
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

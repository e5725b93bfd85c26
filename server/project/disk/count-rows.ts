import type { FileHandle } from 'node:fs/promises';

export interface RowCount {
  rows: number;
  /** Whether the file ends in a line break, so that a line can be appended. */
  ended: boolean;
}

const newline = 0x0a;
/** Spaces, tabs, carriage returns and the bytes of a byte order mark make no row. */
const blank = new Set([0x20, 0x09, 0x0d, 0xef, 0xbb, 0xbf]);
const chunkBytes = 256 * 1024;

/** Counts the lines that are not blank, a chunk at a time, because a dataset may be too large for memory. */
export async function countRows(file: FileHandle): Promise<RowCount> {
  const chunk = new Uint8Array(chunkBytes);
  let rows = 0;
  let inRow = false;
  let last = newline;
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, position);
    if (bytesRead === 0) break;
    for (let at = 0; at < bytesRead; at++) {
      const byte = chunk[at] as number;
      if (byte === newline) inRow = false;
      else if (!inRow && !blank.has(byte)) {
        inRow = true;
        rows++;
      }
    }
    last = chunk[bytesRead - 1] as number;
    position += bytesRead;
  }
  return { rows, ended: last === newline };
}

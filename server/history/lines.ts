/** Reads files of any size line by line. */
import { constants, createReadStream, type ReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';

const newline = 0x0a;

/**
 * The lines of a file, without their ends. A file whose name ends in .zst is decompressed. Bytes that are no UTF-8 become U+FFFD.
 * @param sizeMax in bytes. A longer line is not held in memory, and null stands for it.
 * @throws what the file system throws
 */
export async function* linesOf(path: string, sizeMax: number): AsyncGenerator<string | null> {
  let parts: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer) => {
    size += part.length;
    if (size <= sizeMax) parts.push(part);
    else parts = [];
  };
  const take = () => {
    const line = size > sizeMax ? null : Buffer.concat(parts).toString();
    [parts, size] = [[], 0];
    return line;
  };
  for await (const chunk of bytesOf(path)) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  if (size > 0) yield take();
}

/** A whole file, like a single line. @throws what the file system throws */
export async function* documentOf(path: string, sizeMax: number): AsyncGenerator<string | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytesOf(path)) {
    size += chunk.length;
    if (size > sizeMax) return yield null;
    parts.push(chunk);
  }
  yield Buffer.concat(parts).toString();
}

function bytesOf(path: string): AsyncIterable<Buffer> {
  const bytes = openPlain(path);
  // The callback is called after both have ended; whoever reads the result has the error.
  return path.endsWith('.zst') ? pipeline(bytes, createZstdDecompress(), () => {}) : bytes;
}

/** Opens a file to read it, but not by a link. @param end last byte to read */
export const openPlain = (path: string, end?: number): ReadStream =>
  // Node takes the numbers of the system too. Windows has no such flag.
  createReadStream(path, {
    flags: (constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)) as unknown as string,
    highWaterMark: 256 * 1024,
    ...(end === undefined ? {} : { end }),
  });

/** Longest first line that is looked at. In bytes. */
const firstLineMax = 1024 * 1024;

/** The first line of a file; '' for one that cannot be read or is too long. */
export async function firstLineOf(path: string): Promise<string> {
  try {
    for await (const line of linesOf(path, firstLineMax)) return line ?? '';
  } catch (error) {
    // Errors of the system and of the decompressor have a code; others are bugs.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
  return '';
}

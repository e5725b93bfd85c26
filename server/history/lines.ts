/** Reads files of any size line by line. */
import { closeSync, constants, createReadStream, openSync, type ReadStream, readSync } from 'node:fs';
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
    if (start < chunk.length) add(Buffer.from(chunk.subarray(start)));
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
    parts.push(Buffer.from(chunk));
  }
  yield Buffer.concat(parts).toString();
}

/** Each piece is valid until the next one. */
function bytesOf(path: string): AsyncIterable<Buffer> | Iterable<Buffer> {
  if (!path.endsWith('.zst')) return piecesOf(path);
  // The callback is called after both have ended; whoever reads the result has the error.
  return pipeline(openPlain(path), createZstdDecompress(), () => {});
}

const pieceSize = 256 * 1024;
/** Not in use. Most files are smaller than a piece, and a buffer for each of tens of thousands would be garbage. */
let spare: Buffer | null = null;

/** Synchronous, as `Folders` is. */
function* piecesOf(path: string): Generator<Buffer> {
  const piece = spare ?? Buffer.allocUnsafeSlow(pieceSize);
  spare = null;
  const file = openSync(path, plainFlags);
  try {
    for (let size = readSync(file, piece); size > 0; size = readSync(file, piece)) yield piece.subarray(0, size);
  } finally {
    closeSync(file);
    spare = piece;
  }
}

/** Not by a link, and without waiting for the other end of a pipe. Windows has no such flags. */
const plainFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens a file to read it, but not by a link. @param end last byte to read */
export const openPlain = (path: string, end?: number): ReadStream =>
  // Node takes the numbers of the system too.
  createReadStream(path, { flags: plainFlags as unknown as string, ...(end === undefined ? {} : { end }) });

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

import type { FileHandle } from 'node:fs/promises';
import { ProjectError } from '../project-error.ts';
import type { Place } from './held-folder.ts';
import { openFile, readOnly } from './open-file.ts';

/** Whole file as text, without a byte order mark; null for a missing file. */
export const readText = (place: Place, bytesMax: number): Promise<string | null> => reading(place, (file) => textOf(file, bytesMax));

/** Whole file in a buffer of its own; null for a missing file. */
export const readFileBytes = (place: Place, bytesMax: number): Promise<Uint8Array<ArrayBuffer> | null> =>
  reading(place, (file) => bytesOf(file, bytesMax));

/** @throws ProjectError `too_large`, or `unreadable` when it is not UTF-8 */
export async function textOf(file: FileHandle, bytesMax: number): Promise<string> {
  const bytes = await bytesOf(file, bytesMax);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ProjectError('unreadable', 'The file is not text in UTF-8');
  }
}

async function reading<T>(place: Place, read: (file: FileHandle) => Promise<T>): Promise<T | null> {
  const file = await openFile(place, readOnly);
  if (!file) return null;
  try {
    return await read(file);
  } finally {
    await file.close();
  }
}

/** Piece by piece: copied together in one go, tens of megabytes would hold the event loop. */
async function bytesOf(file: FileHandle, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const { size } = await file.stat();
  if (size > bytesMax) throw new ProjectError('too_large', `The file is larger than ${bytesMax} bytes`);
  const bytes = new Uint8Array(size);
  let read = 0;
  // Bytes appended meanwhile are ignored; truncated ones are missing.
  while (read < size) {
    const { bytesRead } = await file.read(bytes, read, Math.min(pieceBytes, size - read), read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.subarray(0, read);
}

const pieceBytes = 1024 * 1024;

import type { FileHandle } from 'node:fs/promises';
import { ProjectTrouble } from '../project-trouble.ts';
import type { Place } from './held-folder.ts';
import { openFile, readOnly } from './open-file.ts';

/** A whole file as text, without a byte order mark; null when there is none. */
export async function readText(place: Place, bytesMax: number): Promise<string | null> {
  const file = await openFile(place, readOnly);
  if (!file) return null;
  try {
    return await textOf(file, bytesMax);
  } finally {
    await file.close();
  }
}

/** @throws ProjectTrouble `too_large`, or `unreadable` when it is not UTF-8 */
export async function textOf(file: FileHandle, bytesMax: number): Promise<string> {
  const { size } = await file.stat();
  const tooLarge = () => new ProjectTrouble('too_large', `The file is larger than ${bytesMax} bytes`);
  if (size > bytesMax) throw tooLarge();
  const bytes = await file.readFile();
  // It may have grown since.
  if (bytes.length > bytesMax) throw tooLarge();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ProjectTrouble('unreadable', 'The file is not text in UTF-8');
  }
}

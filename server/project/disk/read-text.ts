import { ProjectTrouble } from '../project-trouble.ts';
import { openFile, readOnly } from './open-file.ts';

/**
 * A whole file as text, without a byte order mark; null when there is none.
 * @param path real, as `placeInside` gives it
 */
export async function readText(path: string, bytesMax: number): Promise<string | null> {
  const file = await openFile(path, readOnly);
  if (!file) return null;
  try {
    const { size } = await file.stat();
    const tooLarge = () => new ProjectTrouble('too_large', `The file is larger than ${bytesMax} bytes`);
    if (size > bytesMax) throw tooLarge();
    const bytes = await file.readFile();
    // It may have grown since.
    if (bytes.length > bytesMax) throw tooLarge();
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw new ProjectTrouble('unreadable', 'The file is not text in UTF-8');
    throw error;
  } finally {
    await file.close();
  }
}

/** `backup.json` in a data folder: the last backup of it that was verified, for the metrics of its gateway. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../../platform/replace-file.ts';

const record = z.object({ finished_at: z.iso.datetime(), bytes: z.int().nonnegative() });
export type LastBackup = z.infer<typeof record>;

const file = (dataDir: string): string => join(dataDir, 'backup.json');

export const saveLastBackup = (dataDir: string, last: LastBackup): Promise<void> => replaceFile(file(dataDir), `${JSON.stringify(last)}\n`);

/** Null when there was none, or when the file cannot be read. */
export async function readLastBackup(dataDir: string): Promise<LastBackup | null> {
  try {
    return record.parse(JSON.parse(await readFile(file(dataDir), 'utf8')));
  } catch {
    return null;
  }
}

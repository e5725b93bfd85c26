/** `backup/last.json` in a data folder: the last backup of its series, for the metrics of its gateway. */
import { chownSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../../platform/replace-file.ts';

const record = z.object({ finished_at: z.iso.datetime(), bytes: z.int().nonnegative() });
export type LastBackup = z.infer<typeof record>;

const file = (dataDir: string): string => join(dataDir, 'backup', 'last.json');

/** For the user of the gateway, whoever makes the backup. */
export async function saveLastBackup(dataDir: string, last: LastBackup): Promise<void> {
  await replaceFile(file(dataDir), `${JSON.stringify(last)}\n`);
  const { uid, gid } = statSync(dataDir);
  if (process.getuid?.() === 0) for (const path of [file(dataDir), join(dataDir, 'backup')]) chownSync(path, uid, gid);
}

/** Null when there was none, or when it cannot be read. */
export async function readLastBackup(dataDir: string): Promise<LastBackup | null> {
  try {
    return record.parse(JSON.parse(await readFile(file(dataDir), 'utf8')));
  } catch {
    return null;
  }
}

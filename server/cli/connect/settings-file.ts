/** Reads and replaces the settings file of another program, which may be a link, and may be written by that program meanwhile. */
import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder, writeNewFile } from '../../platform/replace-file.ts';
import { CommandError, exitCode } from '../command.ts';
import { printable } from '../terminal.ts';

const bytesMax = 4 * 1024 * 1024;
const ownerMayWrite = 0o200;

export interface SettingsFile {
  /** As the agent opens it. */
  path: string;
  /** Where it is, with links followed. */
  target: string;
  /** Null when there is no file. */
  text: string | null;
  /** Permissions; null when there is no file. */
  mode: number | null;
}

const refusal = (path: string, why: string): CommandError => new CommandError(exitCode.failed, `${printable(path)} ${why}`);

/** @throws CommandError when it cannot be read, or is no text */
export async function readSettings(path: string): Promise<SettingsFile> {
  const link = await lstat(path).catch(ifMissing(null));
  if (link === null) return { path, target: path, text: null, mode: null };
  const target = await realpath(path).catch(ifMissing(null));
  if (target === null) throw refusal(path, 'is a link to a file that does not exist.');
  const { mode, size } = await stat(target);
  if (size > bytesMax) throw refusal(path, `has ${size} bytes, more than settings have.`);
  return { path, target, text: textOf(path, await readFile(target)), mode: mode & 0o7777 };
}

const ifMissing =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };

function textOf(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refusal(path, 'is not UTF-8 text.');
  }
}

/**
 * Replaces the file atomically, or removes it. Its permissions stay, a link stays a link; only its owner can read a new file.
 * @param text null removes it
 * @throws CommandError when it is read-only, or changed since it was read; then it stays as it is
 */
export async function writeSettings(file: SettingsFile, text: string | null): Promise<void> {
  if (text !== null) await mkdir(dirname(file.target), { recursive: true, mode: 0o700 });
  // It could be replaced all the same, but somebody, or a program that manages it, wants it to stay.
  if (file.mode !== null && (file.mode & ownerMayWrite) === 0) throw refusal(file.path, 'is read-only. Nothing was written.');
  const temporary = join(dirname(file.target), `.glasshouse-${randomBytes(6).toString('hex')}`);
  try {
    if (text !== null) {
      await writeNewFile(temporary, text);
      if (file.mode !== null) await chmod(temporary, file.mode);
    }
    const now = await readSettings(file.path);
    if (now.text !== file.text || now.target !== file.target)
      throw refusal(file.path, 'was changed by another program meanwhile. Nothing was written; run the command again.');
    await (text === null ? rm(file.target) : rename(temporary, file.target));
    await syncFolder(dirname(file.target));
  } finally {
    await rm(temporary, { force: true });
  }
}

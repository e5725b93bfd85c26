/**
 * The `glasshouse` command of a packaged app, put where shells look. The app is in an archive, may be moved, and as an AppImage is
 * mounted elsewhere at each start: so its files are copied to the data folder, and a launcher in a folder of the PATH names them.
 * A file that is not ours is never touched.
 */
import { cpSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { isLauncher, type Launcher, launcherText, startsProgram } from './command-launcher.ts';

export interface CommandPlaces {
  platform: NodeJS.Platform;
  version: string;
  /** Executable of the app. */
  app: string;
  /** Folder shipped with the app: `glasshouse.cjs` and its files. */
  source: string;
  /** Target of the copy. */
  home: string;
  /** Candidate folders for the launcher, best first. */
  folders: readonly string[];
}

export type FoundCommand = { kind: 'absent' } | { kind: 'installed' | 'foreign'; path: string };
/** `prepared`: a launcher that a user with more rights can move into place. */
export type InstallResult = { kind: 'installed'; path: string } | { kind: 'foreign'; path: string } | { kind: 'denied'; prepared: string };

/** Folder on the default PATH of shells on Linux and macOS. */
export const systemFolder = '/usr/local/bin';

/** Windows has no such folder on every PATH, so the launcher is beside the executable. */
export const commandFolders = (platform: NodeJS.Platform, userHome: string, home: string): string[] =>
  platform === 'win32' ? [join(home, 'bin')] : [systemFolder, join(userHome, '.local', 'bin')];

const nameOn = (platform: NodeJS.Platform): string => (platform === 'win32' ? 'glasshouse.cmd' : 'glasshouse');

/** Whether a shell with this PATH finds commands in the folder. */
export const isOnPath = (folder: string, path: string | undefined): boolean => (path ?? '').split(delimiter).includes(folder);

/** Null for a missing file; false for an unreadable or foreign one, and for any link. */
function ownText(path: string): string | false | null {
  let isThere = false;
  try {
    isThere = lstatSync(path).isFile();
    if (!isThere) return false;
    const text = readFileSync(path, 'utf8');
    return isLauncher(text) && text;
  } catch {
    // An inaccessible file counts as absent; writing there will fail.
    return isThere ? false : null;
  }
}

const launcherOf = (places: CommandPlaces): Launcher => ({ ...places, program: join(places.home, 'glasshouse.cjs') });

export function findCommand({ platform, folders }: CommandPlaces): FoundCommand {
  const candidates = folders.map((folder) => ({ path: join(folder, nameOn(platform)), text: ownText(join(folder, nameOn(platform))) }));
  const ours = candidates.find(({ text }) => typeof text === 'string');
  if (ours) return { kind: 'installed', path: ours.path };
  const foreign = candidates.find(({ text }) => text === false);
  return foreign ? { kind: 'foreign', path: foreign.path } : { kind: 'absent' };
}

/** Copies beside the target first, then swaps. */
function copyFiles({ source, home }: CommandPlaces): void {
  const beside = `${home}.new`;
  rmSync(beside, { recursive: true, force: true });
  cpSync(source, beside, { recursive: true });
  mkdirSync(join(beside, 'bin'), { recursive: true });
  rmSync(home, { recursive: true, force: true });
  renameSync(beside, home);
}

/** Replaces the file: a running shell keeps reading the old one. */
function writeLauncher(path: string, text: string): void {
  const beside = `${path}.${process.pid}.new`;
  try {
    writeFileSync(beside, text, { flag: 'wx', mode: 0o755 });
    renameSync(beside, path);
  } finally {
    rmSync(beside, { force: true });
  }
}

const notWritable = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST']);

/** @returns false when the folder is missing or not writable. @throws any other error */
function tryWrite(action: () => void): boolean {
  try {
    action();
    return true;
  } catch (error) {
    if (notWritable.has((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** Idempotent; renews an existing launcher. @throws errors of the file system, except for folders without write access */
export function installCommand(places: CommandPlaces): InstallResult {
  const found = findCommand(places);
  if (found.kind === 'foreign') return found;
  const text = launcherText(launcherOf(places));
  const name = nameOn(places.platform);
  copyFiles(places);
  const prepared = join(places.home, 'bin', name);
  writeFileSync(prepared, text, { mode: 0o755 });
  for (const folder of found.kind === 'installed' ? [dirname(found.path)] : places.folders) {
    const path = join(folder, name);
    const isWritten = tryWrite(() => {
      // A missing system folder is not created.
      if (folder !== systemFolder) mkdirSync(folder, { recursive: true });
      writeLauncher(path, text);
    });
    if (isWritten) return { kind: 'installed', path };
  }
  return { kind: 'denied', prepared };
}

/** Called after an update or a move of the app. Leaves launchers of other data folders and foreign files alone. */
export function renewCommand(places: CommandPlaces): void {
  const found = findCommand(places);
  if (found.kind !== 'installed') return;
  const launcher = launcherOf(places);
  const text = ownText(found.path) || '';
  if (text !== launcherText(launcher) && startsProgram(text, launcher)) installCommand(places);
}

/** @returns path that could not be removed for lack of rights; null when all is removed */
export function removeCommand(places: CommandPlaces): string | null {
  const found = findCommand(places);
  if (found.kind === 'installed' && !tryWrite(() => rmSync(found.path))) return found.path;
  rmSync(places.home, { recursive: true, force: true });
  return null;
}

/**
 * Finds processes by what they cannot easily shake off: the mark in the environment that they were started with and handed on, or a working
 * folder inside the workspace. So one that left its group, or that outlived the gateway which started it, is found, and no other process is
 * taken for one because it got its number. It needs Linux's /proc.
 */
import { readdir, readFile, readlink } from 'node:fs/promises';
import { sep } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

export const markVariable = 'GLASSHOUSE_WORKSPACE_FOLDER';

const roundsMax = 100;
const roundPauseMs = 20;
/** Of x86 and of most ARM; where it is more, memory counts for less than it is. */
const pageBytes = 4096;

/** @param folder of a workspace, or one that workspaces are in: all processes of theirs are ended, at once */
export async function endMarked(folder: string): Promise<void> {
  for (let round = 0; round < roundsMax; round++) {
    const found = await marked(folder);
    if (found.length === 0) return;
    for (const pid of found) end(pid);
    await after(roundPauseMs);
  }
  throw new Error(`Processes in ${folder} do not end`);
}

/** What all processes of a workspace take, as far as the mark or their folder shows them. Memory that several share counts for each. */
export async function memoryOf(folder: string): Promise<{ bytes: number; count: number }> {
  const pids = await marked(folder);
  const statms = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')));
  return { bytes: statms.reduce((sum, statm) => sum + ownPagesOf(statm) * pageBytes, 0), count: pids.length };
}

/** `size resident shared …`, in pages: what is in memory and of no file. */
function ownPagesOf(statm: string): number {
  const [, resident = 0, shared = 0] = statm.split(' ').map(Number);
  return resident - shared;
}

async function marked(folder: string): Promise<number[]> {
  const names = await readdir('/proc').catch((): string[] => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map(async (pid) => (pid !== process.pid && (await isMarked(pid, folder)) ? [pid] : [])));
  return found.flat();
}

/** Those of other users cannot be read, and are none of ours. */
async function isMarked(pid: number, folder: string): Promise<boolean> {
  const isInside = (path: string) => path === folder || path.startsWith(folder + sep);
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  const mark = environment.split('\0').find((entry) => entry.startsWith(`${markVariable}=`));
  if (mark !== undefined && isInside(mark.slice(markVariable.length + 1))) return true;
  return isInside(await readlink(`/proc/${pid}/cwd`).catch(() => ''));
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/**
 * Finds processes of agents by marks that are hard to remove: a variable in the environment with which they started, or a working folder
 * inside the workspace. So a process that left its group or outlived its gateway is found, and a reused process id is not mistaken for it.
 * Needs Linux's /proc.
 */
import { readdir, readFile, readlink } from 'node:fs/promises';
import { sep } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

export const markVariable = 'GLASSHOUSE_WORKSPACE_FOLDER';

const roundsMax = 100;
const roundPauseMs = 20;
/** On x86 and most ARM; with larger pages memory is underestimated. */
const pageBytes = 4096;

/** @param folder folder of a workspace, or a parent of several: all their processes are ended at once */
export async function endMarked(folder: string): Promise<void> {
  for (let round = 0; round < roundsMax; round++) {
    const found = await marked(folder);
    if (found.length === 0) return;
    for (const pid of found) end(pid);
    await after(roundPauseMs);
  }
  throw new Error(`Processes in ${folder} do not end`);
}

/** Memory of all marked processes of a workspace. Memory that they share counts for each. */
export async function memoryOf(folder: string): Promise<{ bytes: number; count: number }> {
  const pids = await marked(folder);
  const statms = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')));
  return { bytes: statms.reduce((sum, statm) => sum + ownPagesOf(statm) * pageBytes, 0), count: pids.length };
}

/** `size resident shared …`, in pages: resident memory without files. */
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

/** Processes of other users cannot be read, and are not ours. */
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
    // It has ended.
  }
}

/**
 * What the kernel of this machine offers to hold agents: found out by trying, once, since containers, distributions and units of systemd
 * allow different things. Each agent is started by a chain of small programs of util-linux and coreutils:
 *
 * - `nice`: it does not starve the gateway
 * - `unshare`: user, process and mount namespaces of its own. None of its processes outlives the first of them, whatever it does, and
 *   the environment of the gateway cannot be read in /proc
 * - `prlimit`: no core dumps, and bounds for each process and file; how many processes only in a user namespace of their own, because
 *   outside the kernel counts all of the gateway's user
 */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

export type Isolation = 'auto' | 'none';

/** What one agent may take of the machine. */
export interface Measure {
  /** Of all its processes together. */
  memoryBytes: number;
  processes: number;
  /** Of the workspace. */
  diskBytes: number;
}

/** What is in force. */
export interface Containment {
  /** Of processes: ended with the first of them. `hidden`: those of others are not even seen. */
  namespace: 'hidden' | 'own' | 'none';
  /** Whether the kernel holds them to their measure. */
  isLimited: boolean;
  isNice: boolean;
  /** What goes before the agent's command line. */
  launcher: readonly string[];
}

const tryMs = 10_000;
/** Room for one file beyond that of the workspace, which is measured with patience. */
const fileSlackBytes = 64 * 1024 * 1024;

const niceness = ['nice', '-n', '10'];
const namespaces = ['unshare', '--user', '--map-current-user', '--pid', '--fork', '--kill-child'];
/** The first process of a namespace gets no signal that it does not ask for, and buries the others: that is not for the agent. */
const init = ['sh', '-c', '"$@"; exit $?', 'agent'];

/** @param isolation `none` does without what the kernel offers: the agent is started as it is */
export async function findContainment(isolation: Isolation, measure: Measure): Promise<Containment> {
  if (isolation === 'none') return { namespace: 'none', isLimited: false, isNice: false, launcher: [] };
  const nice = (await works(niceness)) ? niceness : [];
  const [hidden, own] = [
    [...namespaces, '--mount-proc', '--'],
    [...namespaces, '--'],
  ];
  const namespace = (await works(hidden)) ? 'hidden' : (await works(own)) ? 'own' : 'none';
  const around = { hidden, own, none: [] }[namespace];
  const limits = limitsOf(measure, namespace !== 'none');
  const isLimited = await works([...around, ...limits]);
  const launcher = [...nice, ...around, ...(isLimited ? limits : []), ...(namespace === 'none' ? [] : init)];
  return { namespace, isLimited, isNice: nice.length > 0, launcher };
}

function limitsOf({ memoryBytes, processes, diskBytes }: Measure, isAlone: boolean): string[] {
  const each = ['--core=0', `--data=${memoryBytes}`, `--fsize=${diskBytes + fileSlackBytes}`];
  return ['prlimit', ...each, ...(isAlone ? [`--nproc=${processes}`] : []), '--'];
}

const works = ([program = '', ...args]: readonly string[]): Promise<boolean> =>
  new Promise((resolve) => {
    execFile(program, [...args, 'true'], { timeout: tryMs, killSignal: 'SIGKILL' }, (error) => resolve(error === null));
  });

/** Whether there is such a program: a launcher would start all the same, and fail in words of its own. */
export function isProgram(program: string, cwd: string, path: string): boolean {
  const folders = program.includes('/') ? [isAbsolute(program) ? '/' : cwd] : path.split(delimiter);
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

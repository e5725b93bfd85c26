/**
 * Containment that the kernel of this machine offers, determined by one trial, because containers, distributions and systemd units allow
 * different things. Each agent is started through small programs of util-linux and coreutils:
 *
 * - `nice`: lower priority than the gateway
 * - `unshare`: own user, process and mount namespaces. No process outlives the first one, and the environment of the gateway cannot be
 *   read in /proc
 * - `prlimit`: no core dumps, and limits for each process and file; a limit of the number of processes only in an own user namespace,
 *   because outside the kernel counts all processes of the gateway's user
 */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

export type Isolation = 'auto' | 'none';

/** Resource limits of one agent. */
export interface Measure {
  /** For all its processes together. */
  memoryBytes: number;
  processes: number;
  /** For the workspace. */
  diskBytes: number;
}

/** Effective containment. */
export interface Containment {
  /** Process namespace: its processes end with the first of them. `hidden`: foreign processes are invisible. */
  namespace: 'hidden' | 'own' | 'none';
  /** Whether the kernel holds them to their measure. */
  isLimited: boolean;
  isNice: boolean;
  /** Prefix of the agent's command line. */
  launcher: readonly string[];
}

const tryMs = 10_000;
/** Room for one file beyond that of the workspace, which is measured with patience. */
const fileSlackBytes = 64 * 1024 * 1024;

const niceness = ['nice', '-n', '10'];
const namespaces = ['unshare', '--user', '--map-current-user', '--pid', '--fork', '--kill-child'];
/** The first process of a namespace gets no signal that it does not ask for, and buries the others: that is not for the agent. */
const init = ['sh', '-c', '"$@"; exit $?', 'agent'];

/** @param isolation `none`: no containment, the agent is started directly */
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

/** Whether the program exists: a launcher would start anyway, and fail with an obscure message. */
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

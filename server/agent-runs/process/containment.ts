/**
 * The containment that the kernel of this machine offers, found out by trying, because containers, distributions and systemd units allow
 * different things. Each agent is started through small programs of util-linux and coreutils:
 *
 * - `nice`: lower priority than the gateway
 * - `unshare`: own user, process and mount namespaces. No process outlives the first one, and the environment of the gateway cannot be
 *   read in /proc
 * - `prlimit`: no core dumps, and limits for each process and file; the number of processes is limited only in a user namespace of its own,
 *   because outside one the kernel counts all processes of the gateway's user
 */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

export type Isolation = 'auto' | 'none';

/** Resource limits of one agent. */
export interface ResourceLimits {
  /** For all its processes together. */
  memoryBytes: number;
  processes: number;
  /** For the workspace. */
  diskBytes: number;
}

/** Effective containment. */
export interface Containment {
  /** Process namespace, whose processes all end with the first one. `hidden`: other processes are invisible. */
  namespace: 'hidden' | 'own' | 'none';
  /** Whether the kernel enforces the resource limits. */
  isLimited: boolean;
  isNice: boolean;
  /** Prefix of the agent's command line. */
  launcher: readonly string[];
}

const tryMs = 10_000;
/** A file may exceed the workspace's disk limit by this much, because disk use is checked only from time to time. */
const fileSlackBytes = 64 * 1024 * 1024;

const niceness = ['nice', '-n', '10'];
const namespaces = ['unshare', '--user', '--map-current-user', '--pid', '--fork', '--kill-child'];
/** The first process of a namespace ignores signals without a handler and must reap the others, so a shell takes that place. */
const init = ['sh', '-c', '"$@"; exit $?', 'agent'];

/** @param isolation `none`: no containment, the agent is started directly */
export async function findContainment(isolation: Isolation, limits: ResourceLimits): Promise<Containment> {
  if (isolation === 'none') return { namespace: 'none', isLimited: false, isNice: false, launcher: [] };
  const nice = (await works(niceness)) ? niceness : [];
  const [hidden, own] = [
    [...namespaces, '--mount-proc', '--'],
    [...namespaces, '--'],
  ];
  const namespace = (await works(hidden)) ? 'hidden' : (await works(own)) ? 'own' : 'none';
  const unshare = { hidden, own, none: [] }[namespace];
  const prlimit = prlimitOf(limits, namespace !== 'none');
  const isLimited = await works([...unshare, ...prlimit]);
  const launcher = [...nice, ...unshare, ...(isLimited ? prlimit : []), ...(namespace === 'none' ? [] : init)];
  return { namespace, isLimited, isNice: nice.length > 0, launcher };
}

function prlimitOf({ memoryBytes, processes, diskBytes }: ResourceLimits, isNamespaced: boolean): string[] {
  const perProcess = ['--core=0', `--data=${memoryBytes}`, `--fsize=${diskBytes + fileSlackBytes}`];
  return ['prlimit', ...perProcess, ...(isNamespaced ? [`--nproc=${processes}`] : []), '--'];
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

/** Ends a program that `glasshouse run` started, with the processes that it started: politely, then less so. */
import { type ChildProcess, execFileSync } from 'node:child_process';

const patienceMs = 10_000;
const steps: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGKILL'];

/** Sends SIGINT, and a stronger signal whenever the program goes on for another ten seconds. */
export function endProgram(child: ChildProcess, waitMs = patienceMs): void {
  let timer: NodeJS.Timeout | undefined;
  const send = ([signal, ...stronger]: readonly NodeJS.Signals[]) => {
    if (signal === undefined || child.exitCode !== null || child.signalCode !== null) return;
    for (const pid of [...descendantsOf(child.pid), child.pid]) if (pid !== undefined) signalTo(pid, signal);
    timer = setTimeout(send, waitMs, stronger);
  };
  child.once('exit', () => clearTimeout(timer));
  send(steps);
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** The program shares the process group of the shell, so its own processes are found by their parents. None where `ps` does not exist. */
function descendantsOf(root: number | undefined): number[] {
  const children = Map.groupBy(processes(), ({ parent }) => parent);
  const found = new Set<number>();
  const waiting = root === undefined ? [] : [root];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    for (const child of children.get(pid) ?? []) if (!found.has(child.pid)) waiting.push(child.pid);
    for (const child of children.get(pid) ?? []) found.add(child.pid);
  }
  return [...found];
}

function processes(): { pid: number; parent: number }[] {
  try {
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\n');
    return lines.map((line) => line.trim().split(/\s+/).map(Number)).map(([pid = 0, parent = 0]) => ({ pid, parent }));
  } catch {
    return [];
  }
}

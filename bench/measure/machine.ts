/** CPU and memory from /proc. On other systems the numbers are NaN and the report omits them. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Linux reports CPU time in hundredths of a second, whatever the kernel's own tick is. */
const ticksPerSecond = 100;

export interface ProcessUsage {
  /** User and system time of all threads, in seconds. */
  cpu: number;
  /** The same by thread name. */
  threads: Record<string, number>;
  rss: number;
  peakRss: number;
}

export function processUsage(pid: number): ProcessUsage {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const bytes = (field: string): number => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) * 1024;
    return { cpu: secondsOf(`/proc/${pid}/stat`), threads: threadTimes(pid), rss: bytes('VmRSS'), peakRss: bytes('VmHWM') };
  } catch {
    return { cpu: Number.NaN, threads: {}, rss: Number.NaN, peakRss: Number.NaN };
  }
}

/** utime and stime are the 14th and 15th field; the second, the name, may contain blanks. */
function secondsOf(statFile: string): number {
  const stat = readFileSync(statFile, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

function threadTimes(pid: number): Record<string, number> {
  const times: Record<string, number> = {};
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const folder = `/proc/${pid}/task/${task}`;
    const name = readFileSync(`${folder}/comm`, 'utf8').trim();
    times[name] = (times[name] ?? 0) + secondsOf(`${folder}/stat`);
  }
  return times;
}

/** Seconds that all processors together were busy since the machine started. */
export function machineBusy(): number {
  try {
    const [, user, nice, system, , , irq, softirq] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] as string).split(/\s+/).map(Number);
    return ((user ?? 0) + (nice ?? 0) + (system ?? 0) + (irq ?? 0) + (softirq ?? 0)) / ticksPerSecond;
  } catch {
    return Number.NaN;
  }
}

/** How many processors unrelated processes have kept busy since the constructor call. */
export class OtherCpu {
  readonly #busy = machineBusy();
  readonly #own = process.cpuUsage();
  readonly #began = performance.now();

  /** @param oursS CPU time of the processes that we started, in seconds */
  read(oursS: number): number {
    const { user, system } = process.cpuUsage(this.#own);
    const elapsedS = (performance.now() - this.#began) / 1000;
    return Math.max(0, machineBusy() - this.#busy - oursS - (user + system) / 1e6) / elapsedS;
  }
}

/** Waits until the machine is nearly idle, or until a timeout: other load makes measurements noisy. */
export async function quietMoment(timeoutMs: number): Promise<void> {
  const until = performance.now() + timeoutMs;
  while (performance.now() < until) {
    const before = machineBusy();
    await new Promise((resolve) => setTimeout(resolve, 500));
    if (!(machineBusy() - before > 0.075)) return;
  }
}

/** Size of the store on disk, and of its write-ahead log. */
export function storeBytes(dataDir: string): { file: number; log: number } {
  const size = (name: string): number => statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0;
  return { file: size('telemetry.db'), log: size('telemetry.db-wal') };
}

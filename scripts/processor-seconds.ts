/** Processor time from Linux's /proc, in seconds. Elsewhere nothing is known, and the tests run without these figures. */
import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever the frequency of its own timer. */
const ticksPerSecond = 100;

export interface ProcessorSeconds {
  /** Of this process, all its threads. */
  own: number;
  /** Of its child processes that have ended, and of theirs. */
  children: number;
}

/** @returns null where there is no /proc */
export function processorSeconds(): ProcessorSeconds | null {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // The second field is the name of the program in parentheses, which may contain anything. proc(5) numbers utime 14.
    const [utime = 0, stime = 0, cutime = 0, cstime = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15)
      .map(Number);
    return { own: (utime + stime) / ticksPerSecond, children: (cutime + cstime) / ticksPerSecond };
  } catch {
    return null;
  }
}

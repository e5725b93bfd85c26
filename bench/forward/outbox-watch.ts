/** Looks at the outbox of a store from outside, in its file: what waits, and what was let go. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { processUsage } from '../measure/machine.ts';

export interface Drained {
  seconds: number;
  peakRss: number;
}

export const waiting = (dataDir: string): number => {
  const db = new Database(join(dataDir, 'telemetry.db'), { readonly: true });
  try {
    return db.prepare<[], number>('SELECT count(*) FROM outgoing').pluck().get() ?? 0;
  } finally {
    db.close();
  }
};

/** Waits until nothing waits. @throws when nothing moves for a long time */
export async function drained(dataDir: string, pid: number, say: (line: string) => void = () => {}): Promise<Drained> {
  const began = performance.now();
  const rest = { least: waiting(dataDir), at: began };
  let peakRss = 0;
  for (let left = rest.least; left > 0; left = waiting(dataDir)) {
    peakRss = Math.max(peakRss, processUsage(pid).rss || 0);
    if (left < rest.least) Object.assign(rest, { least: left, at: performance.now() });
    if (performance.now() - rest.at > stuckMs) throw new Error(`${left} messages wait, and nothing has moved for ${stuckMs / 1000} s`);
    say(`${left} left`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  return { seconds: (performance.now() - began) / 1000, peakRss };
}

/** Longer than the longest wait between two tries. */
const stuckMs = 6 * 60_000;

/** Watches the outbox of a store from outside, in its database file. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { processUsage } from '../measure/machine.ts';

export interface DrainResult {
  seconds: number;
  peakRss: number;
}

export const outboxSize = (dataDir: string): number => {
  const db = new Database(join(dataDir, 'telemetry.db'), { readonly: true });
  try {
    return db.prepare<[], number>('SELECT count(*) FROM outgoing').pluck().get() ?? 0;
  } finally {
    db.close();
  }
};

/** Waits until the outbox is empty. @throws when its size does not shrink for a long time */
export async function waitUntilDrained(dataDir: string, pid: number, log: (line: string) => void = () => {}): Promise<DrainResult> {
  const began = performance.now();
  const progress = { least: outboxSize(dataDir), at: began };
  let peakRss = 0;
  for (let left = progress.least; left > 0; left = outboxSize(dataDir)) {
    peakRss = Math.max(peakRss, processUsage(pid).rss || 0);
    if (left < progress.least) Object.assign(progress, { least: left, at: performance.now() });
    if (performance.now() - progress.at > stuckMs) throw new Error(`${left} messages remain, and none was sent for ${stuckMs / 1000} s`);
    log(`${left} left`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  return { seconds: (performance.now() - began) / 1000, peakRss };
}

/** Longer than the longest pause between two attempts. */
const stuckMs = 6 * 60_000;

/** When the gateway is killed in a cycle. Depends only on the seed. */
import { Random } from '../traffic/random.ts';

export type Kill =
  /** During ingest, this long after the first request. */
  | { moment: 'loading'; afterMs: number }
  /** After a pause without requests: about the time of the checkpoint. */
  | { moment: 'idle'; afterMs: number };

export interface Cycle {
  kill: Kill;
  /** Killed again this long after it was started, before it is ready; null for an undisturbed start. */
  killStartAfterMs: number | null;
}

/** The writer checkpoints 1.5 s after the last commit. */
const idleMs = 1500;

export function planCycle(seed: string, number: number): Cycle {
  const random = new Random(`kill ${seed} ${number}`);
  const isIdle = random.chance(0.08);
  const kill: Kill = isIdle
    ? { moment: 'idle', afterMs: idleMs + random.between(-60, 120) }
    : { moment: 'loading', afterMs: random.spread(350, 0.9, 5, 2500) };
  return { kill, killStartAfterMs: random.chance(0.12) ? random.between(0, 500) : null };
}

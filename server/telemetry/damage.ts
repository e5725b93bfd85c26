/** What of a store is known not to be what was written. */

import type { damagedKinds } from '../../shared/contract/damaged.ts';

/** `row`: something that other rows point to. `database`: pages or indexes. `log`: the write-ahead log. */
export type DamagedKind = (typeof damagedKinds)[number];

/** One thing that was met. */
export interface Damage {
  kind: DamagedKind;
  /** Tells it from others of its kind: each counts once. */
  id: string;
  why: string;
  /** A folder in which the bytes are kept as they were found. */
  kept?: string;
}

/** What has been met since the store was last sound. */
export interface StoreDamage {
  since_ms: number;
  /** Of each kind that was met: how many. */
  counts: Partial<Record<DamagedKind, number>>;
  /** What was met last, in words for whoever looks after the machine. */
  last: string;
  /** Folders in which damaged bytes are kept. They name places of this machine. */
  kept: string[];
}

export interface DamageWatch {
  /** Null while nothing is known. */
  now(): StoreDamage | null;
}

/** Damage found in a store: bytes that differ from those written. */

import type { damagedKinds } from '../../shared/contract/core/damaged.ts';

/** `row`: something that other rows point to. `database`: pages or indexes. `log`: the write-ahead log. */
export type DamagedKind = (typeof damagedKinds)[number];

/** One damaged item. */
export interface Damage {
  kind: DamagedKind;
  /** Tells it from others of its kind: each counts once. */
  id: string;
  why: string;
  /** A folder in which the bytes are kept as they were found. */
  kept?: string;
}

/** Damage found since the store was last sound. */
export interface StoreDamage {
  since_ms: number;
  /** Number of damaged items of each kind. */
  counts: Partial<Record<DamagedKind, number>>;
  /** Description of the most recent damage, for the operator. */
  last: string;
  /** Folders in which damaged bytes are kept. They name places of this machine. */
  kept: string[];
}

export interface DamageWatch {
  /** Null while nothing is known. */
  now(): StoreDamage | null;
}

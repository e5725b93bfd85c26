/** Damage found in a store: bytes that differ from those written. */

import type { damagedKinds } from '../../shared/contract/core/damaged.ts';

/** `row`: a row that other rows reference. `database`: pages or indexes. `log`: the write-ahead log. */
export type DamagedKind = (typeof damagedKinds)[number];

/** One damaged item. */
export interface Damage {
  kind: DamagedKind;
  /** Unique within its kind; each item counts once. */
  id: string;
  why: string;
  /** Folder with an unchanged copy of the damaged bytes. */
  kept?: string;
}

/** All damage found since the store was last undamaged. */
export interface StoreDamage {
  since_ms: number;
  /** Number of damaged items of each kind. */
  counts: Partial<Record<DamagedKind, number>>;
  /** Description of the most recent damage, for the operator. */
  last: string;
  /** Folders with copies of damaged bytes, as paths on this machine. */
  kept: string[];
}

export interface DamageWatch {
  /** Null while no damage is known. */
  now(): StoreDamage | null;
}

/** What a writer tells the thread that runs it. */
import type { Compaction } from '../../file-maintenance.ts';
import { DamageReporter } from '../file/damaged.ts';
import type { DeletionEvents } from './deletions.ts';

/** Reports damage, and tells whether the store is known to be damaged. */
export interface WriterDamage {
  damageReporter: DamageReporter;
  isDamaged(): boolean;
}

/** What background work tells the write thread. */
export interface WriterEvents extends DeletionEvents {
  compacted(state: Compaction): void;
}

export const withoutEvents: WriterEvents = { compacted: () => {}, removed: () => {}, changed: () => {} };

export const withoutReports: WriterDamage = { damageReporter: new DamageReporter(), isDamaged: () => false };

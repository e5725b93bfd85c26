import type { Scope } from '../platform/scope.ts';

/** How long traces stay in a store, whoever's they are. */
export interface RetentionRule {
  /** Since they arrived; null for ever. */
  keep_days: number | null;
  /** What the database may hold before the oldest go; null for as much as the disk does. */
  max_bytes: number | null;
}

export interface Compaction {
  /** `at-next-start`: a file of an earlier version cannot shrink while it is in use, and is written anew when it is opened next. */
  state: 'running' | 'done' | 'stopped' | 'failed' | 'at-next-start';
  phase: 'names' | 'pages';
  /** How much of the phase is done, from 0 to 1. */
  part: number;
  /** Given back so far; and what free pages hold still. */
  freed_bytes: number;
  left_bytes: number;
  began_ms: number;
  ended_ms: number | null;
  /** Why it failed. */
  problem: string | null;
}

/** What is done to a store as a whole, by whoever owns the machine it is on. */
export interface StoreMaintenance {
  /** Resolves when the rule is kept; what it removes goes by and by. */
  setRetention(rule: RetentionRule): Promise<void>;
  /**
   * Begins to drop names that nothing has any more and to give free pages back to the disk, a little at a time between writes. Resolves when it
   * has begun; one that runs goes on. A gateway that stops ends it, and what was given back by then is given back.
   */
  compact(): Promise<void>;
  /** Ends a compaction that runs. */
  cancelCompaction(): Promise<void>;
  /** The newest compaction since the store was opened; null when there was none. */
  compaction(): Compaction | null;
  /** For an app that is gone. Resolves when it is kept that everything of it goes, also what comes later; it goes by and by. */
  erase(scope: Scope): Promise<void>;
}

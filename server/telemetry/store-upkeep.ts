import type { Scope } from '../platform/scope.ts';

/** How long traces stay in a store, whoever's they are. */
export interface RetentionRule {
  /** Since they arrived; null for ever. */
  keep_days: number | null;
  /** What the database may hold before the oldest go; null for as much as the disk does. */
  max_bytes: number | null;
}

/** What is done to a store as a whole, by whoever owns the machine it is on. */
export interface StoreUpkeep {
  /** Resolves when the rule is kept; what it removes goes by and by. */
  setRetention(rule: RetentionRule): Promise<void>;
  /**
   * Drops names that nothing has any more and gives free pages back to the disk. Nothing is written meanwhile: what is sent waits.
   * @throws StorageError `full` when the disk has no room for the copy that is made on the way
   */
  compact(): Promise<void>;
  /** For an app that is gone. Resolves when it is kept that everything of it goes, also what comes later; it goes by and by. */
  erase(scope: Scope): Promise<void>;
}

import type { Storage } from '../../shared/contract/viewer/viewer-storage.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded } from './encoded.ts';

/** Storage figures that the file itself provides. */
export type StoredStorage = Omit<Storage, 'compaction' | 'damage'>;

/** Retention of traces, for all tenants of a store. */
export interface RetentionRule {
  /** Days since arrival; null for no limit. */
  keep_days: number | null;
  /** Size from which the oldest traces are removed; null for no limit. */
  max_bytes: number | null;
}

export interface Compaction {
  /** `at-next-start`: a file of an earlier version, or a large one of which traces were deleted, is rewritten when it is opened next. */
  state: 'running' | 'done' | 'stopped' | 'failed' | 'at-next-start';
  phase: 'names' | 'pages';
  /** Progress of the phase, from 0 to 1. */
  part: number;
  /** Bytes returned to the disk so far, and bytes in free pages. */
  freed_bytes: number;
  left_bytes: number;
  began_ms: number;
  ended_ms: number | null;
  /** Reason of a failure. */
  problem: string | null;
}

/** Maintenance of the file of a store, by the owner of the machine. */
export interface FileMaintenance {
  storage(scope: Scope): Promise<Encoded<StoredStorage>>;
  /** Approximate number of traces that arrived before a time. */
  older(scope: Scope, before_ms: number): Promise<Encoded<{ traces: number }>>;
  /** Resolves when the rule is stored; traces are removed gradually. */
  setRetention(rule: RetentionRule): Promise<void>;
  /**
   * Starts a compaction: removes unused dictionary entries and returns free pages to the disk, a little at a time between writes. Resolves
   * when it has started; a running one continues. Stopping the gateway ends it and keeps its progress.
   */
  compact(): Promise<void>;
  /** Cancels a running compaction. */
  cancelCompaction(): Promise<void>;
  /** The newest compaction since the store was opened; null when there was none. */
  compaction(): Compaction | null;
}

import type { TracesNarrowing } from '../../shared/contract/tracing/trace-list.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded } from './encoded.ts';

/** Traces by id, or those that a list with these parameters shows. */
export type TraceSelection = { trace_ids: readonly string[] } | Partial<TracesNarrowing>;

/**
 * `removing`: some of the traces may still be listed. `erasing`: no read returns anything of them; their bytes in the file are being overwritten.
 * `done`: the file holds nothing of them.
 */
export type DeletionState = 'removing' | 'erasing' | 'done';

export interface DeletionChange {
  scope: Scope;
  id: string;
  state: DeletionState;
}

export interface DeletionCount {
  traces: number;
  spans: number;
  /** Traces of which something was sent to a destination, where it stays. */
  forwarded: { name: string; traces: number }[];
}

export interface TraceDeletion extends DeletionCount {
  id: string;
  created_ms: number;
  state: DeletionState;
  removed_traces: number;
}

/** Deletes traces with everything that belongs to them. What was accepted is finished after a restart. */
export interface TraceDeletions {
  count(scope: Scope, selection: TraceSelection): Promise<DeletionCount>;
  /**
   * Resolves when the deletion is durable. It applies to the traces that match now: a span that arrives later for one of them makes a new trace.
   * @param id a new random id
   */
  begin(scope: Scope, id: string, selection: TraceSelection): Promise<TraceDeletion>;
  find(scope: Scope, id: string): Promise<Encoded<TraceDeletion> | null>;
  /** Calls back when the state of a deletion changes, until the returned function is called. */
  follow(listener: (change: DeletionChange) => void): () => void;
}

/** Values of `deletion.state`. */
import type { DeletionState } from '../../trace-deletions.ts';

export const deletionStates = {
  /** Its traces are being listed: it is not accepted yet. */
  listing: 0,
  removing: 1,
  erasing: 2,
  /** Columns and the write-ahead log may still have something. */
  erased: 3,
  done: 4,
  /** The file was rewritten since: no page has unused bytes that were moved from another before. */
  rewritten: 5,
} as const;

export function publicState(state: number): DeletionState {
  if (state <= deletionStates.removing) return 'removing';
  return state >= deletionStates.done ? 'done' : 'erasing';
}

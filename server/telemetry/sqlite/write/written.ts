/** Results of writing a group of requests. */
import type { ExceededQuota } from '../../../ingest/allowance.ts';
import type { WriteOutcome } from '../../../ingest/sink.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { RunChange } from '../../runaway/open-runs.ts';
import type { CommitNotice } from '../../span-writer.ts';
import type { StorageError } from '../../storage-error.ts';
import type { StoredRollup } from './stored-tree.ts';
import type { Touched } from './trace-rows.ts';

export type WriteResult = { outcome: WriteOutcome } | { spent: ExceededQuota } | { error: StorageError };

export interface Written {
  results: WriteResult[];
  notices: CommitNotice[];
  /** What the commit added to each run. */
  runs: RunChange[];
}

export const refusal = (error: StorageError): Written => ({ results: [{ error }], notices: [], runs: [] });

export const joined = (parts: readonly Written[]): Written => ({
  results: parts.flatMap(({ results }) => results),
  notices: parts.flatMap(({ notices }) => notices),
  runs: parts.flatMap(({ runs }) => runs),
});

export function runChange(
  { scope, trace, traceId, steps, isTurn }: Touched,
  { cost, root }: StoredRollup,
  app: Scope,
  received_ms: number,
): RunChange {
  // The span of a prompt, which log records make, never is pending.
  const isOver = root.parent_id === null && !root.pending && !isTurn;
  return { scope, trace: trace.id, app, traceId, steps, cost, isOver, received_ms };
}

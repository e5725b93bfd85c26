import type { Allowance } from '../ingest/allowance.ts';
import type { WriteOutcome } from '../ingest/intake.ts';
import type { PreparedBatch } from '../ingest/prepare/prepared.ts';
import type { Scope } from '../platform/scope.ts';

/** What one committed group changed; followers of the live stream get it. */
export interface CommitNotice {
  scope: Scope;
  trace_ids: string[];
  span_count: number;
}

/**
 * The one writer of a telemetry store.
 * `write` resolves only when the spans are durable: readable by any new connection and on disk as far as the disk can promise.
 * Batches may be committed together, but each is answered for itself, and one that cannot be stored does not take others with it.
 * The identity of a span is (app, trace id, span id): the first final record wins, a pending one is replaced once
 * (docs/reference/ingest.md#identity-and-duplicates).
 */
export interface SpanWriter {
  /**
   * @param allowance what the tenant may write; nothing is counted when absent
   * @throws StorageError when nothing of the batch was stored; sending it again later is safe
   * @throws AllowanceSpent when what is new in the batch does not fit: nothing of it was stored. One in which nothing is new always fits.
   */
  write(scope: Scope, batch: PreparedBatch, allowance?: Allowance): Promise<WriteOutcome>;
}

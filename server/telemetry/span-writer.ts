import type { Allowance } from '../ingest/allowance.ts';
import type { PreparedBatch } from '../ingest/prepare/prepared.ts';
import type { WriteOutcome } from '../ingest/sink.ts';
import type { Scope } from '../platform/scope.ts';

/** Change notice of one commit, for followers of the live stream. */
export interface CommitNotice {
  scope: Scope;
  /** Traces with new spans or other tags. */
  trace_ids: string[];
  span_count: number;
}

/**
 * The single writer of a telemetry store. `write` resolves only when the spans are durable: readable by any new connection and on disk as far
 * as the disk can promise. Batches may share a commit, but each has its own result, and a failing batch does not affect others. The identity
 * of a span is (app, trace id, span id): the first final record wins, a pending one is replaced once
 * (docs/reference/ingest.md#identity-and-duplicates).
 */
export interface SpanWriter {
  /**
   * @param allowance quota of the tenant; without it nothing is counted
   * @throws StorageError when nothing of the batch was stored; it is safe to send it again
   * @throws QuotaExceeded when the new part of the batch exceeds the quota: nothing of it was stored. A batch of duplicates always fits.
   */
  write(scope: Scope, batch: PreparedBatch, allowance?: Allowance): Promise<WriteOutcome>;
}

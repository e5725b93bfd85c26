import type { Scope } from '../platform/scope.ts';
import type { Port } from '../platform/thread.ts';
import type { Allowance } from './allowance.ts';
import type { PackedBatch } from './prepare/pack.ts';

/** Result of a write for one request. */
export interface WriteOutcome {
  /** Spans stored for the first time, or completed. */
  accepted: number;
  /** Spans that were already stored, equal: a retry. */
  duplicates: number;
  /** Spans refused because another span holds their ids, one line each; always empty where the sink does not report them. */
  conflicts: string[];
}

/** Takes decoded requests to where they are durable. */
export interface Sink {
  /**
   * Resolves when the batch is durable.
   * @param allowance null: usage is not counted
   * @throws StorageError when nothing of the batch was stored; it is safe to send it again
   * @throws QuotaExceeded when the new part of the batch exceeds the quota: nothing of it was stored
   */
  offer(scope: Scope, batch: PackedBatch, allowance: Allowance | null): Promise<WriteOutcome>;
  /** For a sink with a thread of its own: opens a channel for a decode thread, whose batches are then not offered. */
  openChannel?(): SinkChannel;
}

/** Message over `SinkChannel.port`. Its buffers are transferred, not copied. */
export interface SinkMessage {
  id: number;
  scope: Scope;
  batch: PackedBatch;
  allowance: Allowance | null;
}

/** A channel from a decode thread to the thread of a sink that bypasses the HTTP thread. */
export interface SinkChannel {
  /** For the decode thread, which posts a SinkMessage for each request. */
  port: Port<SinkMessage, never>;
  /**
   * One shared number: the requests that are being decoded for this port. Incremented by the sender of a request; decremented before its
   * message is posted, or when there will be none. The sink may wait briefly for them, so that they share its commit.
   */
  inFlight: Int32Array;
  /** Settles as `offer` does, for the message of that id. Call it before the message is posted. */
  written(id: number): Promise<WriteOutcome>;
  /** Stops waiting for a message that will not be sent. */
  forget(id: number): void;
}

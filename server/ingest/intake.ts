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
  /** Spans refused because another span holds their ids, one line each. */
  conflicts: string[];
}

/** Message over `Intake.port`. Its buffers are transferred, not copied. */
export interface IntakeMessage {
  id: number;
  scope: Scope;
  batch: PackedBatch;
  /** Null: usage is not counted. */
  allowance: Allowance | null;
}

/** A channel from a decode thread to the writer that bypasses the HTTP thread. */
export interface Intake {
  /** For the decode thread, which posts an IntakeMessage for each request. */
  port: Port<IntakeMessage, never>;
  /**
   * One shared number: the requests that are being decoded for this port. Incremented by the sender of a request; decremented before its
   * message is posted, or when there will be none. The writer waits briefly for them, so that they share its commit.
   */
  inFlight: Int32Array;
  /** Settles as `SpanWriter.write` does, for the message of that id. Call it before the message is posted. */
  written(id: number): Promise<WriteOutcome>;
  /** Stops waiting for a message that will not be sent. */
  forget(id: number): void;
}

/** A store that ingest writes to. */
export interface IntakeStore {
  /** Opens the channel of a decode thread. */
  openIntake(): Intake;
}

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

/** A short way from a decoding thread to the writer, past the HTTP thread. */
export interface Intake {
  /** Given to the decoding thread, which posts an IntakeMessage for each request. */
  port: Port<IntakeMessage, never>;
  /**
   * One number, shared: the requests that are being decoded for this port. Counted up by who takes one in hand, and down before its
   * message is posted, or when there will be none. The writer waits a moment for them, so that they share its commit.
   */
  coming: Int32Array;
  /** Settles as `SpanWriter.write` does, for the message of that id. Ask before the message is posted. */
  written(id: number): Promise<WriteOutcome>;
  /** Stops waiting for a message that was never sent. */
  forget(id: number): void;
}

/** A store that ingest writes to. */
export interface IntakeStore {
  /** Opens the way that ingest takes; one for each decoding thread. */
  openIntake(): Intake;
}

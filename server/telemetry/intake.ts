import type { MessagePort } from 'node:worker_threads';
import type { PreparedBatch } from '../ingest/prepare/prepared.ts';
import type { Scope } from '../platform/scope.ts';
import type { Allowance } from './allowance.ts';
import type { WriteOutcome } from './span-writer.ts';

/** One message over `Intake.port`. Its buffer changes threads without a copy. */
export interface IntakeMessage {
  id: number;
  scope: Scope;
  batch: PreparedBatch;
  /** Null: what is written is not counted. */
  allowance: Allowance | null;
}

/** A short way from a decoding thread to the writer, past the HTTP thread. */
export interface Intake {
  /** Given to the decoding thread, which posts an IntakeMessage for each request. */
  port: MessagePort;
  /** Settles as `SpanWriter.write` does, for the message of that id. Ask before the message is posted. */
  written(id: number): Promise<WriteOutcome>;
  /** Stops waiting for a message that will never come. */
  forget(id: number): void;
}

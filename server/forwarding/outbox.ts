/** The outbox of one destination, oldest message first. The store is the outbox: nothing is copied. */

import type { ForwardKind } from '../telemetry/forward-store.ts';

/** Consecutive messages of the outbox. */
export interface BatchRange {
  /** The first message, after the last acknowledged one. */
  from: number;
  /** The last of it. */
  to: number;
  /** Spans that can be sent. */
  spans: number;
  /** Number of positions, including removed and retained messages. */
  messages: number;
}

/** Messages that may be sent now. */
export interface Batch extends BatchRange {
  kind: ForwardKind;
  /** OTLP/JSON, or `{ scores }`, compressed with gzip. */
  body: Uint8Array;
}

/** A span that cannot be sent, and why. */
export interface Rejection {
  position: number;
  reason: string;
}

export interface Outbox {
  /** The oldest that waits, of at most so many messages; null when nothing waits. One span, however large, is a batch. */
  next(messagesMax: number): Promise<Batch | null>;
  /** Resolves when durable: these messages are never sent again; the destination refused `refused` of them. */
  ack(range: BatchRange, refused: { count: number; message: string }): Promise<void>;
  /** Resolves when durable: moves a message that can never be sent to the dead letters, from where it can be retried. */
  deadLetter(range: BatchRange, rejection: Rejection): Promise<void>;
}

/** What waits to be forwarded to one destination, in the order in which it came. The store is the outbox: nothing is copied to wait. */

import type { ForwardKind } from '../telemetry/forward-store.ts';

/** A stretch of the outbox. */
export interface Stretch {
  /** Behind the last that was let go. */
  from: number;
  /** The last of it. */
  to: number;
  /** Those that are there to be sent. */
  spans: number;
  /** How many positions it takes up: with those that are gone, and those that stay here. */
  letters: number;
}

/** What may be sent now. */
export interface Batch extends Stretch {
  kind: ForwardKind;
  /** OTLP/JSON, or `{ scores }`, compressed with gzip. */
  body: Uint8Array;
}

/** A span that cannot be sent, and why. */
export interface Parked {
  position: number;
  reason: string;
}

export interface Outbox {
  /** The oldest that waits, of at most so many letters; null when nothing waits. One span, however large, is a batch. */
  next(lettersMax: number): Promise<Batch | null>;
  /** Durably: these were taken and are never sent again, `refused` of them were looked at and not kept. */
  letGo(stretch: Stretch, refused: { count: number; message: string }): Promise<void>;
  /** Durably: passes over a span that cannot be sent. It is kept here, and can be tried again by whoever wants. */
  park(stretch: Stretch, parked: Parked): Promise<void>;
}

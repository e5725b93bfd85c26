import type { Score } from '../../shared/contract/evaluation/scores.ts';
import type { RawLog, SpanData } from '../ingest/otlp/raw-span.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded, EncodedPage } from './encoded.ts';

/** Kind of a message; a cloud has one route for each. */
export type ForwardKind = 'spans' | 'logs' | 'scores';

/** Current environment and tags of a stored item. */
export interface Origin {
  environment: string;
  /** All tags of its trace. */
  tags: readonly string[];
}

/** Content of one message as it was received, or why it cannot be read. */
export type OutboxItem<T> = { message: number; sent: T; origin: Origin } | { message: number; damage: string };

/** Consecutive messages of one kind from the outbox of a destination, before redaction. */
export type OutboxBatch = {
  /** Ids of the first and the last message. */
  from: number;
  to: number;
  /** Number of messages from first to last. Those whose rows were removed have no item. */
  messages: number;
} & (
  | { kind: 'spans'; items: OutboxItem<SpanData>[] }
  | { kind: 'logs'; items: OutboxItem<RawLog>[] }
  | { kind: 'scores'; items: OutboxItem<Score>[] }
);

export interface Backlog {
  spans: number;
  logs: number;
  scores: number;
  dead_letters: number;
  /** Number of spans since the destination was added. */
  sent: number;
  refused: number;
  /** Error message of the most recent refusal. */
  refusal: string;
}

/** Stored settings of a destination. The JSON is opaque to the store. */
export interface ForwardSettings {
  /** False: only traces that a user forwards are sent. */
  automatic: boolean;
  /** JSON: its address and options. */
  about: string;
}

export interface ForwardRecord extends ForwardSettings {
  name: string;
  created_ms: number;
  /** JSON of the current failure; '' for none. */
  failure: string;
  last_error: string;
  success_ms: number | null;
  /** Request id that the destination returned for the last accepted batch. */
  receipt: string;
  sent: number;
  refused: number;
  refusal: string;
}

/** Messages in an outbox. Counting takes time in proportion to their number. */
export interface PendingCounts {
  spans: number;
  logs: number;
  scores: number;
  dead_letters: number;
  /** Time when the oldest one was stored. */
  oldest_ms: number | null;
}

/** Outcome of a batch that was accepted. */
export interface AckResult {
  /** Number of spans that the destination rejected. */
  count: number;
  message: string;
  /** Request id that the destination returned. */
  receipt?: string;
  /** Number of spans sent, if fewer than acknowledged because rows were removed or retained. 0: no request was made. */
  sent?: number;
  /** Retained messages: their traces do not count as sent. */
  retained?: readonly number[];
}

export interface DeadLetter {
  kind: ForwardKind;
  /** Null for a score. */
  trace_id: string | null;
  /** Empty for removed items. */
  name: string;
  reason: string;
  failed_ms: number;
}

/** Forwarding state of a trace at one destination, in spans. */
export interface TraceForwarding {
  name: string;
  waiting: number;
  dead_letters: number;
  /** Reason of the newest dead letter; empty without one. */
  dead_letter_reason: string;
  sent: number;
  sent_ms: number | null;
  /** Upper bound of the rejected spans among those sent. */
  refused: number;
  refusal: string;
}

/** The outbox of each destination, by name. A change is durable when its promise resolves. */
export interface ForwardStore {
  /** Id of this store, which never changes. */
  installation(scope: Scope): Promise<Encoded<string>>;
  /**
   * Adds a destination. Queues new rows from now on, with `withAll` also the stored ones. What was read from session files of coding agents is
   * queued by `queueTraces` only.
   */
  begin(scope: Scope, name: string, withAll: boolean, settings?: Partial<ForwardSettings>): Promise<void>;
  /** Changes the given settings only. */
  set(scope: Scope, name: string, settings: Partial<ForwardSettings>): Promise<void>;
  /** Records why sending fails. The next ack clears `failure`, but not `last_error`. */
  recordFailure(scope: Scope, name: string, failure: string, error: string): Promise<void>;
  /** Removes a destination with its messages. */
  end(scope: Scope, name: string): Promise<void>;
  /**
   * The oldest messages of one kind, at most `messagesMax` and about 4 MiB; a larger message is a batch of its own. Null for an empty outbox.
   * Changes nothing: returns the same messages until they are acknowledged.
   * @param withOrigins false: all origins are empty
   */
  next(scope: Scope, name: string, messagesMax: number, withOrigins: boolean): Promise<Encoded<OutboxBatch> | null>;
  /** Removes all messages up to the id `upTo`. */
  ack(scope: Scope, name: string, upTo: number, result: AckResult): Promise<void>;
  /** Moves a message that can never be sent to the dead letters. */
  deadLetter(scope: Scope, name: string, message: number, reason: string): Promise<void>;
  /** Queues the dead letters again, after all other messages. */
  retryDeadLetters(scope: Scope, name: string): Promise<void>;
  /** Queues all spans, log records and scores of these traces, also those that were sent. Skips unknown traces. */
  queueTraces(scope: Scope, name: string, traceIds: readonly string[]): Promise<void>;
  /** Null for an unknown destination. */
  backlog(scope: Scope, name: string): Promise<Encoded<Backlog> | null>;
  /** All destinations, the oldest first. */
  list(scope: Scope): Promise<Encoded<ForwardRecord[]>>;
  waiting(scope: Scope, name: string): Promise<Encoded<PendingCounts>>;
  /** In the order of the ids; null for an unknown trace. Destinations without any message of a trace are left out. */
  traces(scope: Scope, traceIds: readonly string[]): Promise<Encoded<(TraceForwarding[] | null)[]>>;
  /** The newest first. */
  deadLetters(scope: Scope, name: string, page: { limit: number; offset: number }): Promise<EncodedPage<DeadLetter>>;
  /** Spans among the dead letters as OTLP/JSON requests, one per line. */
  deadLetterLines(scope: Scope, name: string, spansMax: number): Promise<Uint8Array>;
}

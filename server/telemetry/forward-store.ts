import type { Score } from '../../shared/contract/evaluation/scores.ts';
import type { RawLog, SentSpan } from '../ingest/otlp/raw-span.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded, EncodedPage } from './encoded.ts';

/** Kind of the content of a message; a cloud has one route for each. */
export type ForwardKind = 'spans' | 'logs' | 'scores';

/** Environment and tags of a stored item, as the store knows them now. */
export interface Origin {
  environment: string;
  /** Of the whole trace. */
  tags: readonly string[];
}

/** One message: what is stored, as it was sent, or why it cannot be read. */
export type OutboxItem<T> = { message: number; sent: T; origin: Origin } | { message: number; damage: string };

/** Consecutive messages of one kind from the outbox of a destination, unredacted. */
export type OutboxBatch = {
  /** Ids of the first and the last message. */
  from: number;
  to: number;
  /** How many messages there are from first to last. Those whose rows are gone have no item. */
  messages: number;
} & (
  | { kind: 'spans'; items: OutboxItem<SentSpan>[] }
  | { kind: 'logs'; items: OutboxItem<RawLog>[] }
  | { kind: 'scores'; items: OutboxItem<Score>[] }
);

export interface Backlog {
  spans: number;
  logs: number;
  scores: number;
  dead_letters: number;
  /** Spans, ever. */
  sent: number;
  refused: number;
  /** Error message of the most recent refusal. */
  refusal: string;
}

/** Stored settings of a destination. The JSON is opaque to the store. */
export interface ForwardSettings {
  /** False: only messages that a user asked for are sent. */
  automatic: boolean;
  /** JSON: where it is and how it is sent to. */
  about: string;
}

export interface ForwardRecord extends ForwardSettings {
  name: string;
  created_ms: number;
  /** JSON; '' when things get through. */
  failure: string;
  last_error: string;
  success_ms: number | null;
  /** Request id that the destination returned for the last accepted batch. */
  receipt: string;
  sent: number;
  refused: number;
  refusal: string;
}

/** Messages in the outbox. Counting takes time in proportion to their number. */
export interface PendingCounts {
  spans: number;
  logs: number;
  scores: number;
  dead_letters: number;
  /** When the oldest of it was stored. */
  oldest_ms: number | null;
}

/** Outcome of a batch. */
export interface AckResult {
  /** Number of spans that the destination rejected. */
  count: number;
  message: string;
  /** Request id that the destination returned. */
  receipt?: string;
  /** Number of spans sent, if fewer than acknowledged: rows can be removed or retained. 0 means that no request was made. */
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
  /** Names this store for as long as it exists. */
  installation(scope: Scope): Promise<Encoded<string>>;
  /** Adds a destination. New rows are queued from now on; with `withAll` also the stored ones. */
  begin(scope: Scope, name: string, withAll: boolean, settings?: Partial<ForwardSettings>): Promise<void>;
  /** Changes the given settings only. */
  set(scope: Scope, name: string, settings: Partial<ForwardSettings>): Promise<void>;
  /** Records why sending fails. The next ack clears `standing`, but not the error. */
  recordFailure(scope: Scope, name: string, failure: string, error: string): Promise<void>;
  end(scope: Scope, name: string): Promise<void>;
  /**
   * The oldest waiting messages of one kind, at most `most` of them and about 4 MiB; a larger message is a batch of its own. Null when none waits.
   * Changes nothing: until they are acknowledged, the same messages come again.
   * @param withOrigins false: all origins are empty
   */
  next(scope: Scope, name: string, most: number, withOrigins: boolean): Promise<Encoded<OutboxBatch> | null>;
  ack(scope: Scope, name: string, upTo: number, result: AckResult): Promise<void>;
  /** Moves a message that can never be sent to the dead letters. */
  deadLetter(scope: Scope, name: string, message: number, reason: string): Promise<void>;
  retryDeadLetters(scope: Scope, name: string): Promise<void>;
  /** All of these traces waits, with its log records and scores, whatever was sent before. Unknown ones are passed over. */
  queueTraces(scope: Scope, name: string, traceIds: readonly string[]): Promise<void>;
  /** Null when nothing is forwarded there. */
  backlog(scope: Scope, name: string): Promise<Encoded<Backlog> | null>;
  /** All destinations, the oldest first. */
  list(scope: Scope): Promise<Encoded<ForwardRecord[]>>;
  waiting(scope: Scope, name: string): Promise<Encoded<PendingCounts>>;
  /** In the order of the ids; null for an unknown trace. Destinations without any message of a trace are left out. */
  traces(scope: Scope, traceIds: readonly string[]): Promise<Encoded<(TraceForwarding[] | null)[]>>;
  /** The last first. */
  deadLetters(scope: Scope, name: string, page: { limit: number; offset: number }): Promise<EncodedPage<DeadLetter>>;
  /** Dead-letter spans as OTLP/JSON requests, one per line; at most so many. */
  deadLetterLines(scope: Scope, name: string, most: number): Promise<Uint8Array>;
}

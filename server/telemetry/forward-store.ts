import type { RedactionSetting } from '../forwarding/redaction/redaction-processor.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded, Page } from './encoded.ts';

/** What a letter holds; a cloud has a route for each. */
export type ForwardKind = 'spans' | 'logs' | 'scores';

/** Letters of one kind that follow each other in the outbox of a destination. */
export interface ForwardBatch {
  kind: ForwardKind;
  /** The first and the last of them. */
  from: number;
  to: number;
  letters: number;
  /** How many of them there are to send: rows that are gone are none. */
  count: number;
  /** How many of the letters stay here, by the rules of the destination. They are let go with the others. */
  withheld: number;
  /** Which those are. */
  stays: readonly number[];
}

export interface Backlog {
  spans: number;
  logs: number;
  scores: number;
  parked: number;
  /** Spans, ever. */
  sent: number;
  refused: number;
  /** What the other side said of the last that it refused. */
  refusal: string;
}

/** What is kept of a destination. The store looks into none of the JSON. */
export interface ForwardSettings {
  /** False: only what is asked for by hand waits for it. */
  automatic: boolean;
  /** JSON: where it is and how it is sent to. */
  about: string;
}

export interface ForwardRecord extends ForwardSettings {
  name: string;
  created_ms: number;
  /** JSON; '' when things get through. */
  trouble: string;
  last_error: string;
  success_ms: number | null;
  /** What the other side calls the request of the last batch that it took. */
  receipt: string;
  sent: number;
  refused: number;
  refusal: string;
}

/** What has not arrived. Counting takes time in proportion to what waits. */
export interface Waiting {
  spans: number;
  logs: number;
  scores: number;
  parked: number;
  /** When the oldest of it was stored. */
  oldest_ms: number | null;
}

/** What became of a batch that was let go. */
export interface Taken {
  /** Spans that the other side looked at and did not keep. */
  count: number;
  message: string;
  /** What the other side calls the request. */
  receipt?: string;
  /** Spans that were sent, when that is fewer than let go: rows can be gone, or stay here. Nothing was asked of anybody when 0. */
  sent?: number;
  /** Letters that stay here: their traces are not told as sent. */
  stays?: readonly number[];
}

export interface ParkedLetter {
  kind: ForwardKind;
  /** Null for a score. */
  trace_id: string | null;
  /** Empty for what is gone. */
  name: string;
  reason: string;
  parked_ms: number;
}

/** How a trace stands at one destination, in spans. */
export interface TraceForwarding {
  name: string;
  waiting: number;
  parked: number;
  /** Why the last was parked; empty when none is. */
  parked_reason: string;
  sent: number;
  sent_ms: number | null;
  /** At most so many of those that were sent. */
  refused: number;
  refusal: string;
}

/** What is to be forwarded, by the name of where it goes. What a method has resolved is durable. */
export interface ForwardStore {
  /** Names this store for as long as it exists. */
  installation(scope: Scope): Promise<Encoded<string>>;
  /** From now on what comes in waits for it; with `withAll` also what is there. */
  begin(scope: Scope, name: string, withAll: boolean, settings?: Partial<ForwardSettings>): Promise<void>;
  /** Those that are not said stay as they are. */
  set(scope: Scope, name: string, settings: Partial<ForwardSettings>): Promise<void>;
  /** Why nothing gets through. It is forgotten when something does, but for the error. */
  note(scope: Scope, name: string, trouble: string, error: string): Promise<void>;
  end(scope: Scope, name: string): Promise<void>;
  /**
   * The oldest that wait, of at most so many, as gzip of OTLP/JSON, or of `{ scores }`. Null when none waits. What redaction hides is in
   * the token map by then: nobody can send a token that this machine could not read back. A letter whose record is damaged is parked by then.
   * @param redaction absent: everything leaves as it is
   */
  next(scope: Scope, name: string, most: number, redaction?: RedactionSetting): Promise<{ batch: ForwardBatch; body: Uint8Array } | null>;
  letGo(scope: Scope, name: string, upTo: number, taken: Taken): Promise<void>;
  /** One letter cannot be sent: it is kept apart until somebody has it tried again. */
  park(scope: Scope, name: string, letter: number, reason: string): Promise<void>;
  retryParked(scope: Scope, name: string): Promise<void>;
  /** All of these traces waits, with its log records and scores, whatever was sent before. Unknown ones are passed over. */
  queueTraces(scope: Scope, name: string, traceIds: readonly string[]): Promise<void>;
  /** Null when nothing is forwarded there. */
  backlog(scope: Scope, name: string): Promise<Encoded<Backlog | null>>;
  /** All destinations, the oldest first. */
  list(scope: Scope): Promise<Encoded<ForwardRecord[]>>;
  waiting(scope: Scope, name: string): Promise<Encoded<Waiting>>;
  /** In the order asked; null for a trace that is not there. A destination that knows nothing of a trace is left out. */
  traces(scope: Scope, traceIds: readonly string[]): Promise<Encoded<(TraceForwarding[] | null)[]>>;
  /** The last first. */
  parked(scope: Scope, name: string, page: { limit: number; offset: number }): Promise<Page<ParkedLetter>>;
  /** Each parked span as an OTLP/JSON request of its own, a line each; the first of so many. */
  parkedLines(scope: Scope, name: string, most: number): Promise<Uint8Array>;
}

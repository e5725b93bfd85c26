import type { ValveSetting } from '../forwarding/valve/valve.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded } from './encoded.ts';

/** Letters of one kind that follow each other in the outbox of a destination. */
export interface ForwardBatch {
  kind: 'spans' | 'logs' | 'scores';
  /** The first and the last of them. */
  from: number;
  to: number;
  /** How many there are to send: rows that are gone are none. */
  count: number;
  /** How many of the letters stay here, by the rules of the destination. They are let go with the others. */
  withheld: number;
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

/** What is to be forwarded, by the name of where it goes. What a method has resolved is durable. */
export interface ForwardStore {
  /** From now on what comes in waits for it; with `withAll` also what is there. */
  begin(scope: Scope, name: string, withAll: boolean): Promise<void>;
  end(scope: Scope, name: string): Promise<void>;
  /**
   * The oldest that wait, of at most so many, as gzip of OTLP/JSON, or of `{ scores }`. Null when none waits. What the valve hides is in
   * the vault by then: nobody can send a token that this machine could not read back.
   * @param valve absent: everything leaves as it is
   */
  next(scope: Scope, name: string, most: number, valve?: ValveSetting): Promise<{ batch: ForwardBatch; body: Uint8Array } | null>;
  letGo(scope: Scope, name: string, upTo: number, refused: { count: number; message: string }): Promise<void>;
  /** One letter cannot be sent: it is kept apart until somebody has it tried again. */
  park(scope: Scope, name: string, letter: number, reason: string): Promise<void>;
  retryParked(scope: Scope, name: string): Promise<void>;
  /** Null when nothing is forwarded there. */
  backlog(scope: Scope, name: string): Promise<Encoded<Backlog | null>>;
}

/** The outbox of one destination, oldest message first. The store is the outbox: nothing is copied. */
import type { Scope } from '../platform/scope.ts';
import type { AckResult, ForwardKind } from '../telemetry/forward-store.ts';
import type { TelemetryStore } from '../telemetry/store.ts';
import { asksOrigin, type Redaction } from './redaction.ts';
import type { RedactionSetting } from './redaction-thread.ts';

/** Consecutive messages of one kind, as they may be sent now. */
export interface Batch {
  kind: ForwardKind;
  /** Ids of the first and the last message. */
  from: number;
  to: number;
  /** How many messages it stands for: with those whose rows are gone, and those that are retained. */
  messages: number;
  /** Items in the body. */
  count: number;
  /** Ids of the messages that the redaction rules retain. They are acknowledged with the others. */
  retained: readonly number[];
  /** OTLP/JSON, or `{ scores }`, compressed with gzip. */
  body: Uint8Array<ArrayBuffer>;
}

export interface Outbox {
  /** The oldest that waits, of at most so many messages; null when nothing waits. One span, however large, is a batch. */
  next(messagesMax: number): Promise<Batch | null>;
  /** Resolves when durable: these messages are never sent again. */
  ack(batch: Batch, result: Omit<AckResult, 'sent' | 'retained'>): Promise<void>;
  /** Resolves when durable: moves the last message of a batch, which can never be sent, to the dead letters, from where it can be retried. */
  deadLetter(batch: Batch, reason: string): Promise<void>;
}

interface OutboxParts {
  telemetry: Pick<TelemetryStore, 'forwarding' | 'redaction'>;
  redaction: Redaction;
  scope: Scope;
  /** Of the destination, in the store. */
  name: string;
  setting: RedactionSetting;
}

/** Reads raw batches from the store, has them redacted, and writes down what that made before anybody can send it. */
export class StoreOutbox implements Outbox {
  readonly #parts: OutboxParts;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  async next(messagesMax: number): Promise<Batch | null> {
    const { telemetry, redaction, scope, name, setting } = this.#parts;
    const found = await telemetry.forwarding.next(scope, name, messagesMax, asksOrigin(setting.policy));
    if (!found) return null;
    const { batch, tokens, damaged } = await redaction.batch(name, found, setting);
    if (tokens.length > 0) await telemetry.redaction.keepTokens(scope, tokens);
    for (const { message, reason } of damaged) await telemetry.forwarding.deadLetter(scope, name, message, reason);
    return batch;
  }

  ack({ kind, to, count, retained }: Batch, result: Omit<AckResult, 'sent' | 'retained'>): Promise<void> {
    const { telemetry, scope, name } = this.#parts;
    return telemetry.forwarding.ack(scope, name, to, kind === 'spans' ? { ...result, sent: count, retained } : result);
  }

  deadLetter({ to }: Batch, reason: string): Promise<void> {
    const { telemetry, scope, name } = this.#parts;
    return telemetry.forwarding.deadLetter(scope, name, to, reason);
  }
}

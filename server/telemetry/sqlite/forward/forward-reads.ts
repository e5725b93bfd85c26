/** Reads pending messages of the outbox in the form in which they are sent. */
import { gzipSync } from 'node:zlib';
import type { Score } from '../../../../shared/contract/scores.ts';
import type { RawLog } from '../../../ingest/otlp/raw-span.ts';
import { noRedactionSetting, type RedactionProcessor, type RedactionSetting } from '../../../redaction/redaction-processor.ts';
import type { Token } from '../../../redaction/tokens.ts';
import type { Backlog, ForwardBatch, ForwardKind } from '../../forward-store.ts';
import { OtlpText, resourceLogs } from '../archive/otlp-text.ts';
import { readOrWhy } from '../damaged.ts';
import { readStoredId } from '../id-codec.ts';
import { ReadFile } from '../read/read-answer.ts';
import type { ReadContext } from '../read/read-context.ts';
import { type SentSpanRow, sentSpanColumns } from '../sent-span.ts';
import { stored } from '../stored-names.ts';
import type { Place } from '../write/block-builder.ts';
import { CachedRedaction } from './cached-redaction.ts';
import { kind } from './forward-rows.ts';
import { Origins, unknownOrigin } from './origins.ts';

/** Before compression; one message may be larger. */
const batchCharsMax = 4 * 1024 * 1024;

interface OutboxMessage {
  id: number;
  kind: number;
  row: number;
}

/** Message with a damaged record. */
export interface DamagedMessage {
  message: number;
  reason: string;
}

/** Batch with its side effects: tokens to store and damaged messages to move to the dead letters before it is sent. */
export interface RedactedBatch extends ForwardBatch {
  tokens: Token[];
  damaged: DamagedMessage[];
}

/** A batch while it is gathered. */
class Gathering {
  readonly tokens = new Map<string, Token>();
  readonly retained: number[] = [];
  readonly damaged: DamagedMessage[] = [];

  /** Content of a message; null when it is damaged, which affects no other message. */
  read<T>(message: number, read: () => T): T | null {
    const { value, why } = readOrWhy(read);
    if (why !== undefined) this.damaged.push({ message, reason: `Damaged in this store: ${why}` });
    return value;
  }

  /** Redacted content, with its tokens noted; null for retained messages. */
  pass<T extends { tokens: readonly Token[] }>(message: number, left: T | null): T | null {
    if (left === null) this.retained.push(message);
    else for (const token of left.tokens) this.tokens.set(token.token, token);
    return left;
  }
}

export class ForwardReads {
  readonly #context: ReadContext;
  readonly #redaction = new CachedRedaction();
  readonly #origins: Origins;
  readonly #messages;
  readonly #span;
  readonly #log;
  readonly #score;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#origins = new Origins(context);
    const { db } = context;
    this.#messages = db.prepare<[string, number], OutboxMessage>(
      'SELECT id, kind, row FROM outgoing WHERE forward = (SELECT id FROM forward WHERE name = ?) ORDER BY id LIMIT ?',
    );
    this.#span = db.prepare<[number], SentSpanRow>(`SELECT ${sentSpanColumns} FROM span WHERE span.id = ?`);
    this.#log = db.prepare<[number], Place & { trace: number; trace_id: unknown; span_id: unknown }>(
      'SELECT span_log.trace, trace_id, span_id, block, at, size FROM span_log JOIN trace ON trace.id = span_log.trace WHERE span_log.id = ?',
    );
    this.#score = db.prepare<[number], { scope: number; score_id: string }>('SELECT scope, score_id FROM score WHERE id = ?');
  }

  /** Oldest messages of one kind, at most `most`; null when none is pending. Removed rows are skipped. */
  next(_scope: number, name: string, most: number, setting: RedactionSetting = noRedactionSetting): ReadFile<RedactedBatch> | null {
    const messages = this.#messages.all(name, most);
    const [first] = messages;
    if (!first) return null;
    const end = messages.findIndex((message) => message.kind !== first.kind);
    const alike = end === -1 ? messages : messages.slice(0, end);
    const redaction = this.#redaction.of(setting);
    if (first.kind === kind.span) return this.#spans(alike, redaction);
    return first.kind === kind.log ? this.#logs(alike, redaction) : this.#scores(alike, redaction);
  }

  backlog(_scope: number, name: string): Backlog | null {
    const waits = (of: number) => `(SELECT count(*) FROM outgoing WHERE forward = forward.id AND kind = ${of})`;
    return (
      this.#context.db
        .prepare<[string], Backlog>(
          `SELECT ${waits(kind.span)} AS spans, ${waits(kind.log)} AS logs, ${waits(kind.score)} AS scores,
             (SELECT count(*) FROM ${stored.deadLetters} WHERE forward = forward.id) AS dead_letters, sent, refused, refusal
           FROM forward WHERE name = ?`,
        )
        .get(name) ?? null
    );
  }

  #spans(messages: readonly OutboxMessage[], redaction: RedactionProcessor): ReadFile<RedactedBatch> {
    const text = new OtlpText();
    const gathering = new Gathering();
    const taken = until(messages, ({ id, row }) => {
      const span = this.#span.get(row);
      const read = span && gathering.read(id, () => this.#readSpan(span, redaction));
      const left = read && gathering.pass(id, redaction.span(read.sent, read.origin));
      if (left) text.add(left.sent);
      return text.length < batchCharsMax;
    });
    return filled('spans', taken, text.count, gathering, `{"resourceSpans":${text.resourceSpans()}}`);
  }

  /** Without its log records, which are messages of their own. */
  #readSpan(span: SentSpanRow, redaction: RedactionProcessor) {
    const { sent, attribution } = this.#context.sentSpans.read({ ...span, flags: 0 });
    return { sent, origin: redaction.asksOrigin ? this.#origins.ofSpan(span.trace, sent, attribution) : unknownOrigin };
  }

  #logs(messages: readonly OutboxMessage[], redaction: RedactionProcessor): ReadFile<RedactedBatch> {
    const gathering = new Gathering();
    const logs = messages.flatMap(({ id, row }): RawLog[] => {
      const found = this.#log.get(row);
      if (!found) return [];
      const ids = { trace_id: readStoredId(found.trace_id), span_id: readStoredId(found.span_id) };
      const read = gathering.read(id, () => ({
        log: this.#context.sentSpans.logAt(found, ids),
        origin: redaction.asksOrigin ? this.#origins.ofSpanId(found.trace, found.span_id) : unknownOrigin,
      }));
      const left = read && gathering.pass(id, redaction.log(read.log, read.origin));
      return left ? [left.log] : [];
    });
    return filled('logs', messages, logs.length, gathering, `{"resourceLogs":${resourceLogs(logs) || '[]'}}`);
  }

  #scores(messages: readonly OutboxMessage[], redaction: RedactionProcessor): ReadFile<RedactedBatch> {
    const gathering = new Gathering();
    const scores = messages.flatMap(({ id, row }): Score[] => {
      const found = this.#score.get(row);
      const score = found && this.#context.scores.find(found.scope, found.score_id);
      if (!score) return [];
      const read = gathering.read(id, () => ({
        origin: redaction.asksOrigin ? this.#origins.ofResource(found.scope, score.resource_id) : unknownOrigin,
      }));
      const left = read && gathering.pass(id, redaction.score(score, read.origin));
      return left ? [left.score] : [];
    });
    return filled('scores', messages, scores.length, gathering, JSON.stringify({ scores }));
  }
}

/** Messages up to and including the first for which `goesOn` is false. */
function until(messages: readonly OutboxMessage[], goesOn: (message: OutboxMessage) => boolean): readonly OutboxMessage[] {
  const last = messages.findIndex((message) => !goesOn(message));
  return last === -1 ? messages : messages.slice(0, last + 1);
}

function filled(
  of: ForwardKind,
  messages: readonly OutboxMessage[],
  count: number,
  { retained, tokens, damaged }: Gathering,
  text: string,
): ReadFile<RedactedBatch> {
  const [from, to] = [(messages[0] as OutboxMessage).id, (messages.at(-1) as OutboxMessage).id];
  const stretch = { kind: of, from, to, messages: messages.length };
  const value: RedactedBatch = { ...stretch, count, retainedCount: retained.length, retained, tokens: [...tokens.values()], damaged };
  return new ReadFile(value, new Uint8Array(gzipSync(text, { level: 1 })));
}

/** Reads the outbox: the messages to be forwarded, as they were received. */
import { summarise } from '../../../ingest/normalise/index.ts';
import { readId } from '../../../ingest/otlp/identifiers.ts';
import type { SpanData } from '../../../ingest/otlp/raw-span.ts';
import type { EnvironmentAttribution } from '../../../platform/environment-attribution.ts';
import { Encoded } from '../../encoded.ts';
import type { Backlog, ForwardKind, Origin, OutboxBatch, OutboxItem } from '../../forward-store.ts';
import { readOrWhy, storedTags } from '../file/damaged.ts';
import { readStoredId, storeId } from '../file/id-codec.ts';
import { stored } from '../file/stored-names.ts';
import type { ReadContext } from '../read/read-context.ts';
import { type SentSpanRow, sentSpanColumns } from '../read/sent-span.ts';
import { findTracesOfSpans } from '../read/traces-of-spans.ts';
import type { Place } from '../write/block-builder.ts';
import { kind } from './forward-rows.ts';

/** UTF-16 units of JSON; one message may be larger. */
const batchCharsMax = 4 * 1024 * 1024;

interface MessageRow {
  id: number;
  kind: number;
  row: number;
}

interface LogRow extends Place {
  scope: number;
  trace: number;
  trace_id: unknown;
  span_id: unknown;
  /** The span that a record of a turn was sent with. */
  own_trace: string | null;
  own_span: string | null;
  /** Whether it belongs to a turn that was read from a session file, which is not forwarded. */
  is_in_history: 0 | 1;
}

/** Content of a message; null when its row was removed. */
type Content = { sent: Received; origin: Origin } | null;
type Received = Extract<OutboxBatch['items'][number], { sent: unknown }>['sent'];

/** Name of each kind of message, and the function that reads its content. */
type Kinds = Record<number, { name: ForwardKind; read: (row: number, withOrigin: boolean) => Content }>;

export class ForwardReads {
  readonly #context: ReadContext;
  readonly #origins: Origins;
  readonly #messages;
  readonly #span;
  readonly #log;
  readonly #score;
  readonly #kinds: Kinds = {
    [kind.span]: { name: 'spans', read: (row, withOrigin) => this.#readSpan(row, withOrigin) },
    [kind.log]: { name: 'logs', read: (row, withOrigin) => this.#readLog(row, withOrigin) },
    [kind.score]: { name: 'scores', read: (row, withOrigin) => this.#readScore(row, withOrigin) },
  };

  constructor(context: ReadContext) {
    this.#context = context;
    this.#origins = new Origins(context);
    const { db } = context;
    this.#messages = db.prepare<[string, number], MessageRow>(
      'SELECT id, kind, row FROM outgoing WHERE forward = (SELECT id FROM forward WHERE name = ?) ORDER BY id LIMIT ?',
    );
    this.#span = db.prepare<[number], SentSpanRow>(`SELECT ${sentSpanColumns} FROM span WHERE span.id = ?`);
    this.#log = db.prepare<[number], LogRow>(
      `SELECT span_log.trace, trace_id, span_id, block, at, size, own_trace, own_span, trace.scope, agent_log.log IS NOT NULL AND EXISTS (
         SELECT 1 FROM agent_prompt WHERE agent_prompt.trace = span_log.trace AND link_us <= 0
       ) AS is_in_history
       FROM span_log JOIN trace ON trace.id = span_log.trace LEFT JOIN agent_log ON agent_log.log = span_log.id WHERE span_log.id = ?`,
    );
    this.#score = db.prepare<[number], { scope: number; score_id: string }>('SELECT scope, score_id FROM score WHERE id = ?');
  }

  next(_scope: number, name: string, messagesMax: number, withOrigins: boolean): Encoded<OutboxBatch> | null {
    const messages = this.#messages.all(name, messagesMax);
    const [first] = messages;
    const ofKind = first && this.#kinds[first.kind];
    if (!ofKind) return null;
    const items: string[] = [];
    let [to, count, chars] = [first.id, 0, 0];
    for (const { id, kind, row } of messages) {
      if (kind !== first.kind || chars >= batchCharsMax) break;
      to = id;
      count++;
      const { value: content, why } = readOrWhy(() => ofKind.read(row, withOrigins));
      if (content === null && why === undefined) continue;
      const item: OutboxItem<Received> = content === null ? { message: id, damage: why ?? '' } : { message: id, ...content };
      const text = JSON.stringify(item);
      items.push(text);
      chars += text.length;
    }
    const head = JSON.stringify({ kind: ofKind.name, from: first.id, to, messages: count } satisfies Omit<OutboxBatch, 'items'>);
    return new Encoded(new TextEncoder().encode(`${head.slice(0, -1)},"items":[${items.join(',')}]}`));
  }

  backlog(_scope: number, name: string): Backlog | null {
    const countOf = (of: number) => `(SELECT count(*) FROM outgoing WHERE forward = forward.id AND kind = ${of})`;
    return (
      this.#context.db
        .prepare<[string], Backlog>(
          `SELECT ${countOf(kind.span)} AS spans, ${countOf(kind.log)} AS logs, ${countOf(kind.score)} AS scores,
             (SELECT count(*) FROM ${stored.deadLetters} WHERE forward = forward.id) AS dead_letters, sent, refused, refusal
           FROM forward WHERE name = ?`,
        )
        .get(name) ?? null
    );
  }

  /** Without the log records of the span, which are messages of their own. */
  #readSpan(row: number, withOrigin: boolean): Content {
    const span = this.#span.get(row);
    if (!span) return null;
    const { sent, attribution } = this.#context.sentSpans.read({ ...span, flags: 0 });
    return { sent, origin: withOrigin ? this.#origins.ofSpan(span.trace, sent, attribution) : unknownOrigin };
  }

  #readLog(row: number, withOrigin: boolean): Content {
    const found = this.#log.get(row);
    if (!found) return null;
    const sent = this.#context.sentSpans.logAt(found, sentIds(found));
    return { sent, origin: withOrigin ? this.#origins.ofLog(found) : unknownOrigin };
  }

  #readScore(row: number, withOrigin: boolean): Content {
    const found = this.#score.get(row);
    const sent = found && this.#context.scores.find(found.scope, found.score_id);
    if (!sent) return null;
    return { sent, origin: withOrigin ? this.#origins.ofResource(found.scope, sent.resource_id) : unknownOrigin };
  }
}

/**
 * The ids that a record was sent with, if any. Without, it gets those of its span, unless its turn was read from a session file and is not
 * forwarded: then the destination places the record by its turn.
 */
function sentIds({ trace_id, span_id, own_trace, own_span, is_in_history }: LogRow): { trace_id: string; span_id: string } {
  if (own_trace !== null && own_span !== null) return { trace_id: own_trace, span_id: own_span };
  if (is_in_history === 1) return { trace_id: '', span_id: '' };
  return { trace_id: readStoredId(trace_id), span_id: readStoredId(span_id) };
}

/** Origin of records without a stored trace. */
export const unknownOrigin: Origin = { environment: '', tags: [] };

/** Reads the origins of items. Used only for destinations with rules about them. */
export class Origins {
  readonly #context: ReadContext;
  readonly #tags;
  readonly #span;
  readonly #root;
  readonly #trace;

  constructor(context: ReadContext) {
    this.#context = context;
    const { db } = context;
    this.#tags = db.prepare<[number], string>('SELECT tags FROM trace WHERE id = ?').pluck();
    this.#span = db.prepare<[number, unknown], SentSpanRow>(
      `SELECT ${sentSpanColumns} FROM span WHERE span.trace = ? AND span.span_id = ?`,
    );
    this.#root = db.prepare<[number], SentSpanRow>(
      `SELECT ${sentSpanColumns} FROM span WHERE span.trace = ? ORDER BY span.parent_id IS NOT NULL, span.start_us, span.id LIMIT 1`,
    );
    this.#trace = db.prepare<[number, unknown], number>('SELECT id FROM trace WHERE scope = ? AND trace_id = ?').pluck();
  }

  ofSpan(trace: number, sent: SpanData, attribution: EnvironmentAttribution | null): Origin {
    return { environment: attribution?.name ?? summarise(sent).environment, tags: this.#tagsOf(trace) };
  }

  /** Origin of a log record: that of the span that it was sent with, if this is stored, or of the one that it belongs to. */
  ofLog({ scope, trace, span_id, own_trace, own_span }: LogRow): Origin {
    const own = own_trace === null ? undefined : this.#trace.get(scope, storeId(own_trace));
    return own === undefined ? this.ofSpanId(trace, span_id) : this.ofSpanId(own, storeId(own_span ?? ''));
  }

  /** Origin of a log record: that of its span. Without the span, which may arrive later, only the tags of the trace. */
  ofSpanId(trace: number, spanId: unknown): Origin {
    const row = this.#span.get(trace, spanId);
    return row ? this.#ofRow(row) : { ...unknownOrigin, tags: this.#tagsOf(trace) };
  }

  /** Origin of a score: that of its span, or of the root span of its trace. */
  ofResource(scope: number, resource: string): Origin {
    const id = readId(resource, 16);
    const trace = id === null ? undefined : this.#trace.get(scope, storeId(id));
    if (trace !== undefined) {
      const root = this.#root.get(trace);
      return root ? this.#ofRow(root) : unknownOrigin;
    }
    const spanId = readId(resource, 8);
    const [traceId = null] = spanId === null ? [] : findTracesOfSpans(this.#context.db, scope, [resource]);
    const traceRow = traceId === null ? undefined : this.#trace.get(scope, storeId(traceId));
    return traceRow === undefined || spanId === null ? unknownOrigin : this.ofSpanId(traceRow, storeId(spanId));
  }

  #ofRow(row: SentSpanRow): Origin {
    const { sent, attribution } = this.#context.sentSpans.read({ ...row, flags: 0 });
    return this.ofSpan(row.trace, sent, attribution);
  }

  #tagsOf(trace: number): string[] {
    return storedTags(this.#tags.get(trace) ?? '[]');
  }
}

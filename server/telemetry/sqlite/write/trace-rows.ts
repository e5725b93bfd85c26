/** Writes the row of a trace from its tree. */

import type { Side } from '../../../ingest/normalise/index.ts';
import type { SpanData } from '../../../ingest/otlp/raw-span.ts';
import { previewOrNothing } from '../../../ingest/prepare/derive-columns.ts';
import type { ArrivalPreview, PreparedSpan, SpanColumns } from '../../../ingest/prepare/prepared.ts';
import { termKey } from '../file/codes.ts';
import { readOrWhy, stored } from '../file/damaged.ts';
import { storeId } from '../file/id-codec.ts';
import type { OpenDatabase } from '../file/open.ts';
import { type SentSpanRow, type SentSpans, sentSpanColumns } from '../read/sent-span.ts';
import type { Dictionary } from './dictionary.ts';
import type { StoredRollup, StoredTreeSpan } from './stored-tree.ts';
import type { OpenTrace } from './trees.ts';

interface StoredPreviews {
  input_span: number;
  output_span: number;
  input_preview: string;
  output_preview: string;
  listed_us: number;
  span_count: number;
}

const columns = [
  'name',
  'status',
  'start_us',
  'end_us',
  'listed_us',
  'latency_ns',
  'longest_ns',
  'cost',
  'tokens',
  'input_tokens',
  'output_tokens',
  'span_count',
  'error_count',
  'pending_count',
  'bookkeeping',
  'root',
  'session',
  'user',
  'metadata',
  'session_name',
  'prompt_name',
  'trace_name',
  'input_span',
  'output_span',
  'tags',
  'added_tags',
  'input_preview',
  'output_preview',
] as const;

/** Traces whose deletion was accepted and that still have their ids. */
export interface DeletedTraces {
  has(trace: number): boolean;
  /** Takes the id from it, for another trace. */
  detach(trace: number): void;
}

/** A span that the running commit wrote. */
export interface Arrival {
  preview: ArrivalPreview;
  /** The raw span, from memory or from the store. */
  sent(): SpanData;
}

/** A trace changed by the running group, with the spans written for it, by row. */
export interface Touched {
  scope: number;
  trace: OpenTrace;
  traceId: string;
  arrived: Map<number, Arrival>;
  /** Number of spans that appear in lists for the first time. */
  inserted: number;
  /** Columns of replaced records, whose terms may no longer hold. */
  replaced: SpanColumns[];
  isTagged: boolean;
  /** Spans that are new or completed, each once. */
  steps: PreparedSpan[];
  /** Made of log records about the prompt of a coding agent. */
  isTurn: boolean;
}

export class TraceRows {
  readonly #dictionary: Dictionary;
  readonly #sentSpans: SentSpans;
  readonly #deleted: DeletedTraces;
  readonly #find;
  readonly #insert;
  readonly #stored;
  readonly #update;
  readonly #sent;
  readonly #hide;

  constructor(db: OpenDatabase, dictionary: Dictionary, sentSpans: SentSpans, deleted: DeletedTraces) {
    this.#deleted = deleted;
    this.#dictionary = dictionary;
    this.#sentSpans = sentSpans;
    this.#find = db.prepare<[number, unknown], number>('SELECT id FROM trace WHERE scope = ? AND trace_id = ?').pluck();
    this.#insert = db.prepare('INSERT INTO trace (scope, trace_id) VALUES (?, ?)');
    this.#stored = db.prepare<[number], StoredPreviews>(
      'SELECT input_span, output_span, input_preview, output_preview, listed_us, span_count FROM trace WHERE id = ?',
    );
    this.#update = db.prepare(`UPDATE trace SET ${columns.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`);
    this.#hide = db.prepare<[number]>('UPDATE trace SET span_count = 0 WHERE id = ?');
    this.#sent = db.prepare<[number], SentSpanRow>(`SELECT ${sentSpanColumns} FROM span WHERE span.id = ?`);
  }

  /** Row of a trace; undefined for none. */
  find(scope: number, traceId: string): number | undefined {
    const row = this.#find.get(scope, storeId(traceId));
    return row === undefined || this.#deleted.has(row) ? undefined : row;
  }

  /** Row of a trace, created when missing. */
  open(scope: number, traceId: string): { id: number; isNew: boolean } {
    const stored = storeId(traceId);
    const existing = this.#find.get(scope, stored);
    if (existing !== undefined && !this.#deleted.has(existing)) return { id: existing, isNew: false };
    if (existing !== undefined) this.#deleted.detach(existing);
    return { id: Number(this.#insert.run(scope, stored).lastInsertRowid), isNew: true };
  }

  /**
   * @param arrived spans of this commit by row
   * @returns the saved trace, null without visible spans; and the change in the number of listed traces: 1, 0 or -1
   */
  save(
    scope: number,
    trace: OpenTrace,
    arrived: Map<number, Arrival>,
    received_ms: number,
  ): { rollup: StoredRollup | null; appeared: number } {
    const rollup = trace.tree.rollUp((span, side) => this.#hasContent(span, side, arrived));
    const before = stored(this.#stored.get(trace.id), `Trace row ${trace.id}`);
    if (!rollup) {
      const wasListed = before.span_count > 0;
      if (wasListed) this.#hide.run(trace.id);
      return { rollup, appeared: wasListed ? -1 : 0 };
    }
    const input = this.#preview('input', rollup.input, before, arrived);
    const output = this.#preview('output', rollup.output, before, arrived);
    this.#update.run(
      rollup.name,
      rollup.status,
      rollup.start_us,
      rollup.end_us,
      listedAt(rollup, before, received_ms),
      rollup.latency_ns,
      rollup.longest_ns,
      rollup.cost,
      rollup.tokens,
      rollup.input_tokens,
      rollup.output_tokens,
      rollup.span_count,
      rollup.error_count,
      rollup.pending_count,
      rollup.bookkeeping ? 1 : 0,
      rollup.root.row,
      rollup.session,
      rollup.user,
      rollup.root.metadata,
      ...this.#names(scope, trace),
      rollup.input?.row ?? 0,
      rollup.output?.row ?? 0,
      JSON.stringify([...trace.tags].sort()),
      JSON.stringify([...trace.addedTags].sort()),
      input,
      output,
      trace.id,
    );
    return { rollup, appeared: before.span_count === 0 ? 1 : 0 };
  }

  #names(scope: number, { names }: OpenTrace): number[] {
    return [
      this.#dictionary.term(scope, termKey.sessionName, names.session_name),
      this.#dictionary.term(scope, termKey.prompt, names.prompt_name),
      this.#dictionary.term(scope, termKey.traceName, names.trace_name),
    ];
  }

  /** Preview of the span that represents the trace: unchanged, from this commit, or read from the store. */
  #preview(side: Side, span: StoredTreeSpan | null, before: StoredPreviews, arrived: Map<number, Arrival>): string {
    if (!span) return '';
    const arrival = arrived.get(span.row);
    if (!arrival && before[`${side}_span`] === span.row) return before[`${side}_preview`];
    return this.#readPreview(span, side, arrived);
  }

  /** Remembered in the tree: a cached trace is saved with each of its spans. */
  #hasContent(span: StoredTreeSpan, side: Side, arrived: Map<number, Arrival>): boolean {
    const has = this.#readPreview(span, side, arrived) !== '';
    span[`has_${side}`] = has;
    return has;
  }

  #readPreview(span: StoredTreeSpan, side: Side, arrived: Map<number, Arrival>): string {
    const arrival = arrived.get(span.row);
    const known = arrival?.preview[side] ?? null;
    if (known !== null) return known;
    const sent = readOrWhy(() => (arrival ? arrival.sent() : this.sentSpan(span.row).sent)).value;
    const preview = sent ? previewOrNothing(sent, side) : '';
    if (arrival) arrival.preview[side] = preview;
    return preview;
  }

  /** @param withLogs false: without its log records */
  sentSpan(row: number, withLogs = true): ReturnType<SentSpans['read']> {
    return this.#sentSpans.read(stored(this.#sent.get(row), `Span row ${row}`), withLogs);
  }
}

const plausibleFromUs = Date.UTC(2000, 0, 1) * 1000;
const dayUs = 24 * 3600 * 1e6;

/** Lists are sorted by start, or by arrival when the sender's clock is clearly wrong: a trace from the year 2100 must not head every list. */
function listedAt({ start_us }: StoredRollup, before: StoredPreviews, received_ms: number): number {
  const plausible = start_us >= plausibleFromUs && start_us <= received_ms * 1000 + dayUs;
  return plausible ? start_us : before.listed_us || received_ms * 1000;
}

/** Reads everything that a span was sent with: its record, the texts and log records that belong to it, its resource and its scope. */
import { flag } from '../file/codes.ts';
import { stored } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';
import { type RecordReader, readRecord } from '../read/record-reader.ts';
import type { Place } from '../write/block-builder.ts';

/** The columns of a span by which its bytes are found. */
export interface SpanPlace extends Place {
  trace: number;
  span_id: unknown;
  flags: number;
  resource: number;
  instrumentation: number;
}

/** Selects a SpanPlace from `span`. */
export const spanPlaceColumns = 'span.trace, span.span_id, span.flags, span.resource, span.instrumentation, span.block, span.at, span.size';

/** Receives bytes, which are valid until it returns. @returns true to stop */
type Visit = (bytes: Buffer, isRecord: boolean) => boolean | undefined;

export class SpanBytes {
  readonly #records: RecordReader;
  readonly #text;
  readonly #document;
  readonly #logs;
  readonly #seenTexts = new Set<number>();
  readonly #seenDocuments = new Set<number>();

  constructor(db: OpenDatabase, records: RecordReader) {
    this.#records = records;
    this.#text = db.prepare<[number], Place>('SELECT block, at, size FROM chunk WHERE id = ?');
    this.#document = db.prepare<[number], string>('SELECT json FROM document WHERE id = ?').pluck();
    this.#logs = db.prepare<[number, unknown], Place>('SELECT block, at, size FROM span_log WHERE trace = ? AND span_id = ?');
  }

  /** Until the next call, a text or document that several spans share is visited once. */
  begin(): void {
    this.#seenTexts.clear();
    this.#seenDocuments.clear();
  }

  /** Whether a visit returned true, after which nothing more is read. */
  visit(span: SpanPlace, visit: Visit): boolean {
    if (this.#visitRecord(span, visit)) return true;
    for (const id of [span.resource, span.instrumentation]) {
      if (isNew(this.#seenDocuments, id) && visit(Buffer.from(this.#document.get(id) ?? ''), false)) return true;
    }
    if ((span.flags & flag.hasLogs) === 0) return false;
    return this.#logs.all(span.trace, span.span_id).some((log) => this.#visitRecord(log, visit));
  }

  #visitRecord(place: Place, visit: Visit): boolean {
    const { textIds, json } = readRecord(this.#records.bytes(place));
    if (visit(json, true)) return true;
    return textIds.some(
      (id) => isNew(this.#seenTexts, id) && visit(this.#records.bytes(stored(this.#text.get(id), `Text ${id}`)), false) === true,
    );
  }
}

function isNew(seen: Set<number>, id: number): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  return true;
}

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

/** Receives bytes, which are valid until it returns. @param shared key of a text or document that spans share @returns true to stop */
type Visit = (bytes: Buffer, isRecord: boolean, shared: number | null) => boolean | undefined;

/** Receives the key of a text or document that was visited before. */
type Repeat = (shared: number) => void;

const textKey = (id: number): number => 2 * id;
const documentKey = (id: number): number => 2 * id + 1;

export class SpanBytes {
  readonly #records: RecordReader;
  readonly #text;
  readonly #document;
  readonly #logs;
  readonly #seen = new Set<number>();

  constructor(db: OpenDatabase, records: RecordReader) {
    this.#records = records;
    this.#text = db.prepare<[number], Place>('SELECT block, at, size FROM chunk WHERE id = ?');
    this.#document = db.prepare<[number], string>('SELECT json FROM document WHERE id = ?').pluck();
    this.#logs = db.prepare<[number, unknown], Place>('SELECT block, at, size FROM span_log WHERE trace = ? AND span_id = ?');
  }

  /** Until the next call, a text or document that several spans share is visited once. */
  begin(): void {
    this.#seen.clear();
  }

  /** Whether a visit returned true, after which nothing more is read. */
  visit(span: SpanPlace, visit: Visit, repeat?: Repeat): boolean {
    if (this.#visitRecord(span, visit, repeat)) return true;
    for (const id of [span.resource, span.instrumentation]) {
      if (this.#isNew(documentKey(id), repeat) && visit(Buffer.from(this.#document.get(id) ?? ''), false, documentKey(id))) return true;
    }
    if ((span.flags & flag.hasLogs) === 0) return false;
    return this.#logs.all(span.trace, span.span_id).some((log) => this.#visitRecord(log, visit, repeat));
  }

  #visitRecord(place: Place, visit: Visit, repeat?: Repeat): boolean {
    const { textIds, json } = readRecord(this.#records.bytes(place));
    if (visit(json, true, null)) return true;
    const bytesOf = (id: number) => this.#records.bytes(stored(this.#text.get(id), `Text ${id}`));
    return textIds.some((id) => this.#isNew(textKey(id), repeat) && visit(bytesOf(id), false, textKey(id)) === true);
  }

  #isNew(shared: number, repeat?: Repeat): boolean {
    if (this.#seen.has(shared)) {
      repeat?.(shared);
      return false;
    }
    this.#seen.add(shared);
    return true;
  }
}

/** From a row's place to the raw span it holds. Inflated blocks are kept for a moment: neighbours are read together. */
import { zstdDecompressSync } from 'node:zlib';
import type { RawLog } from '../../ingest/otlp/raw-span.ts';
import { decodeLog, decodeRecord, type SpanIds } from '../../ingest/prepare/record.ts';
import { must } from '../../platform/assert.ts';
import type { OpenDatabase } from './open.ts';
import type { Place } from './write/block-builder.ts';

const inflatedBytesMax = 24 * 1024 * 1024;
const newline = 0x0a;

export class RecordReader {
  readonly #unwritten: (place: Place) => Buffer | null;
  readonly #findBlock;
  readonly #findText;
  readonly #inflated = new Map<number, Buffer>();
  #inflatedBytes = 0;

  /** @param unwritten gives the bytes of a block that is still being packed; only the writer has one. */
  constructor(db: OpenDatabase, unwritten: (place: Place) => Buffer | null = () => null) {
    this.#unwritten = unwritten;
    this.#findBlock = db.prepare<[number], Buffer>('SELECT data FROM block WHERE id = ?').pluck();
    this.#findText = db.prepare<[number], Place>('SELECT block, at, size FROM chunk WHERE id = ?');
  }

  bytes(place: Place): Buffer {
    return this.#unwritten(place) ?? this.#block(place.block).subarray(place.at, place.at + place.size);
  }

  /** Whether a record or one of its texts holds any of these bytes as they are. */
  holds(place: Place, sought: readonly Buffer[]): boolean {
    const { numbers, json } = readRecord(this.bytes(place));
    const isIn = (text: Buffer) => sought.some((each) => text.includes(each));
    return isIn(json) || numbers.some((id) => isIn(this.bytes(must(this.#findText.get(id), `text ${id} is stored`))));
  }

  span(place: Place, ids: SpanIds): ReturnType<typeof decodeRecord> {
    const { json, text } = this.#open(place);
    return decodeRecord(json, ids, text);
  }

  log(place: Place, ids: Pick<RawLog, 'trace_id' | 'span_id'>): RawLog {
    const { json, text } = this.#open(place);
    return decodeLog(json, ids, text);
  }

  #open(place: Place): { json: string; text: (index: number) => string } {
    const { numbers, json } = readRecord(this.bytes(place));
    const text = (index: number) => this.#text(must(numbers[index], 'a record points to its own texts'));
    return { json: json.toString(), text };
  }

  /** Forgets inflated blocks; the writer calls it when a transaction ends. */
  forget(): void {
    this.#inflated.clear();
    this.#inflatedBytes = 0;
  }

  #text(id: number): string {
    return this.bytes(must(this.#findText.get(id), `text ${id} is stored`)).toString();
  }

  #block(id: number): Buffer {
    const known = this.#inflated.get(id);
    if (known) return known;
    const bytes = zstdDecompressSync(must(this.#findBlock.get(id), `block ${id} is stored`));
    if (this.#inflatedBytes + bytes.length > inflatedBytesMax) this.forget();
    this.#inflated.set(id, bytes);
    this.#inflatedBytes += bytes.length;
    return bytes;
  }
}

/** A record is its texts' numbers as a JSON list, a line break, and the record itself. */
export function readRecord(bytes: Buffer): { numbers: number[]; json: Buffer } {
  const cut = bytes.indexOf(newline);
  const numbers = cut === 0 ? [] : (JSON.parse(bytes.toString('utf8', 0, cut)) as number[]);
  return { numbers, json: bytes.subarray(cut + 1) };
}

/** What stands before a record: its texts' numbers and a line break. */
export function recordHead(numbers: number[]): Buffer {
  return numbers.length === 0 ? noNumbers : Buffer.from(`${JSON.stringify(numbers)}\n`);
}

const noNumbers = Buffer.from('\n');

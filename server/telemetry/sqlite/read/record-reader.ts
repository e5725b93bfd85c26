/** Reads the raw span of a row. Keeps recent inflated blocks, because neighbouring spans share a block. */
import type { RawLog } from '../../../ingest/otlp/raw-span.ts';
import { decodeLog, decodeRecord, type SpanIds } from '../../../ingest/prepare/record.ts';
import { release } from '../../../platform/release.ts';
import { inflateZstd } from '../../../platform/zstd.ts';
import { StorageError } from '../../storage-error.ts';
import { decoding, stored } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';
import type { Place } from '../write/block-builder.ts';

/** Some twenty blocks. Their memory is given back by hand: left to the collector, ten times as much lay about after a scan. */
const inflatedBytesMax = 6 * 1024 * 1024;
const newline = 0x0a;
/** No request is so large. */
const blockBytesMax = 512 * 1024 * 1024;

export class RecordReader {
  readonly #unwritten: (place: Place) => Buffer | null;
  readonly #findBlock;
  readonly #findText;
  /** Least recently used first. */
  readonly #inflated = new Map<number, Buffer>();
  #inflatedBytes = 0;

  /** @param unwritten gives the bytes of a block that is still being packed; only the writer has one. */
  constructor(db: OpenDatabase, unwritten: (place: Place) => Buffer | null = () => null) {
    this.#unwritten = unwritten;
    this.#findBlock = db.prepare<[number], { size: number; data: Buffer }>('SELECT size, data FROM block WHERE id = ?');
    this.#findText = db.prepare<[number], Place>('SELECT block, at, size FROM chunk WHERE id = ?');
  }

  /** Valid until other bytes are read: then their block may be given up. */
  bytes(place: Place): Buffer {
    return this.#unwritten(place) ?? this.#block(place.block).subarray(place.at, place.at + place.size);
  }

  /** Whether a record or one of its texts holds any of these bytes as they are. */
  holds(place: Place, sought: readonly Buffer[]): boolean {
    const { numbers, json } = decoding('A record', () => readRecord(this.bytes(place)));
    const isIn = (text: Buffer) => sought.some((each) => text.includes(each));
    return isIn(json) || numbers.some((id) => isIn(this.bytes(stored(this.#findText.get(id), `Text ${id}`))));
  }

  span(place: Place, ids: SpanIds): ReturnType<typeof decodeRecord> {
    return decoding('A record', () => {
      const { json, text } = this.#open(place);
      return decodeRecord(json, ids, text);
    });
  }

  log(place: Place, ids: Pick<RawLog, 'trace_id' | 'span_id'>): RawLog {
    return decoding('A log record', () => {
      const { json, text } = this.#open(place);
      return decodeLog(json, ids, text);
    });
  }

  #open(place: Place): { json: string; text: (index: number) => string } {
    const { numbers, json } = readRecord(this.bytes(place));
    const text = (index: number) => this.#text(stored(numbers[index], 'A text of a record'));
    return { json: json.toString(), text };
  }

  /** Forgets inflated blocks; the writer calls it when a transaction ends. */
  forget(): void {
    this.#keep(0);
  }

  #text(id: number): string {
    return this.bytes(stored(this.#findText.get(id), `Text ${id}`)).toString();
  }

  #block(id: number): Buffer {
    const known = this.#inflated.get(id);
    if (known) {
      this.#inflated.delete(id);
      this.#inflated.set(id, known);
      return known;
    }
    const { size, data } = stored(this.#findBlock.get(id), `Block ${id}`);
    const bytes = inflated(id, data, size);
    release(data);
    this.#keep(inflatedBytesMax - bytes.length);
    this.#inflated.set(id, bytes);
    this.#inflatedBytes += bytes.length;
    return bytes;
  }

  /** Evicts the least recently used blocks down to the limit. */
  #keep(bytesMax: number): void {
    for (const [id, bytes] of this.#inflated) {
      if (this.#inflatedBytes <= bytesMax) return;
      this.#inflated.delete(id);
      this.#inflatedBytes -= bytes.length;
      release(bytes);
    }
  }
}

/** @throws StorageError `corrupt` when the zstd checksum does not match */
function inflated(id: number, data: Buffer, size: number): Buffer {
  try {
    // A damaged size must not take the memory of the machine.
    if (!(size >= 0 && size <= blockBytesMax)) throw new Error(`it cannot be of ${size} bytes`);
    return inflateZstd(data, size);
  } catch (error) {
    throw new StorageError('corrupt', `Block ${id} of it is damaged: ${(error as Error).message}`);
  }
}

/** A record is its texts' numbers as a JSON list, a line break, and the record itself. */
export function readRecord(bytes: Buffer): { numbers: number[]; json: Buffer } {
  const cut = bytes.indexOf(newline);
  const numbers = cut === 0 ? [] : (JSON.parse(bytes.toString('utf8', 0, cut)) as number[]);
  return { numbers, json: bytes.subarray(cut + 1) };
}

/** Head of a record: the numbers of its texts and a line break. */
export function recordHead(numbers: number[]): Buffer {
  return numbers.length === 0 ? noNumbers : Buffer.from(`${JSON.stringify(numbers)}\n`);
}

const noNumbers = Buffer.from('\n');

/** Reads the raw span of a row. Keeps recent inflated blocks, because neighbouring spans share a block. */
import type { RawLog } from '../../../ingest/otlp/raw-span.ts';
import { decodeLog, decodeRecord, type SpanIds } from '../../../ingest/prepare/record.ts';
import { release } from '../../../platform/release.ts';
import { inflateZstd } from '../../../platform/zstd.ts';
import { StorageError } from '../../storage-error.ts';
import { decoding, stored } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';
import type { Place } from '../write/block-builder.ts';
import { requireText } from './unread-text.ts';

/** Some twenty blocks. Their memory is released explicitly: with garbage collection alone, ten times as much was in use after a scan. */
const inflatedBytesMax = 6 * 1024 * 1024;
const newline = 0x0a;
/** Above the size of any request. */
const blockBytesMax = 512 * 1024 * 1024;

export class RecordReader {
  readonly #readOpenBlock: (place: Place) => Buffer | null;
  readonly #findBlock;
  readonly #findText;
  /** Least recently used first. */
  readonly #inflated = new Map<number, Buffer>();
  #inflatedBytes = 0;

  /** @param readOpenBlock reads bytes of the block that is still being packed; only the writer has one */
  constructor(db: OpenDatabase, readOpenBlock: (place: Place) => Buffer | null = () => null) {
    this.#readOpenBlock = readOpenBlock;
    this.#findBlock = db.prepare<[number], { size: number; data: Buffer }>('SELECT size, data FROM block WHERE id = ?');
    this.#findText = db.prepare<[number], Place>('SELECT block, at, size FROM chunk WHERE id = ?');
  }

  /** The result is valid until other bytes are read, when its block may be evicted. */
  bytes(place: Place): Buffer {
    return this.#readOpenBlock(place) ?? this.#block(place.block).subarray(place.at, place.at + place.size);
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
    const { textIds, json } = readRecord(this.bytes(place));
    const text = (index: number) => this.#text(stored(textIds[index], 'A text of a record'));
    return { json: json.toString(), text };
  }

  /** Evicts all inflated blocks. The writer calls it when a transaction ends. */
  forget(): void {
    this.#evictTo(0);
  }

  #text(id: number): string {
    return requireText(this.bytes(stored(this.#findText.get(id), `Text ${id}`)).toString());
  }

  #block(id: number): Buffer {
    const cached = this.#inflated.get(id);
    if (cached) {
      this.#inflated.delete(id);
      this.#inflated.set(id, cached);
      return cached;
    }
    const { size, data } = stored(this.#findBlock.get(id), `Block ${id}`);
    const bytes = inflated(id, data, size);
    release(data);
    this.#evictTo(inflatedBytesMax - bytes.length);
    this.#inflated.set(id, bytes);
    this.#inflatedBytes += bytes.length;
    return bytes;
  }

  /** Evicts the least recently used blocks down to the limit. */
  #evictTo(bytesMax: number): void {
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
    // A damaged size must not exhaust the memory of the machine.
    if (!(size >= 0 && size <= blockBytesMax)) throw new Error(`its size of ${size} bytes is invalid`);
    return inflateZstd(data, size);
  } catch (error) {
    throw new StorageError('corrupt', `Block ${id} is damaged: ${(error as Error).message}`);
  }
}

/** Splits a stored record: the ids of its texts as a JSON list, a line break, and the JSON of the record. */
export function readRecord(bytes: Buffer): { textIds: number[]; json: Buffer } {
  const cut = bytes.indexOf(newline);
  const textIds = cut === 0 ? [] : (JSON.parse(bytes.toString('utf8', 0, cut)) as number[]);
  return { textIds, json: bytes.subarray(cut + 1) };
}

/** Head of a stored record: the ids of its texts and a line break. */
export function recordHead(textIds: number[]): Buffer {
  return textIds.length === 0 ? emptyHead : Buffer.from(`${JSON.stringify(textIds)}\n`);
}

const emptyHead = Buffer.from('\n');

/** Packs a record and its long texts into the block of the running commit. */
import { hashSize, type PreparedBatch, type Slice } from '../../../ingest/prepare/prepared.ts';
import { readRecord, recordHead } from '../read/record-reader.ts';
import type { BlockBuilder, Place } from './block-builder.ts';
import type { TextStore } from './text-store.ts';

/** A record in a batch. */
interface BatchRecord {
  record: Slice;
  texts: Slice[];
}

export class RecordWriter {
  readonly #texts: TextStore;
  readonly #blocks: BlockBuilder;

  constructor(texts: TextStore, blocks: BlockBuilder) {
    this.#texts = texts;
    this.#blocks = blocks;
  }

  write(scope: number, batch: PreparedBatch, { record, texts }: BatchRecord): Place {
    const textIds = texts.map((text) => this.#texts.store(scope, hashOf(batch, text), bytesOf(batch, text.at, text.size)));
    const place = this.#blocks.add(recordHead(textIds), bytesOf(batch, record.at, record.size));
    this.#blocks.closeIfFull();
    return place;
  }

  /** Whether a stored record equals this one: the record itself, and each of its texts by hash. */
  equals(stored: Buffer, batch: PreparedBatch, { record, texts }: BatchRecord): boolean {
    const { textIds, json } = readRecord(stored);
    return (
      json.equals(bytesOf(batch, record.at, record.size)) &&
      textIds.length === texts.length &&
      texts.every((text, index) => this.#texts.hashOf(textIds[index] as number).equals(hashOf(batch, text)))
    );
  }
}

const hashOf = (batch: PreparedBatch, { at }: Slice): Buffer => bytesOf(batch, at - hashSize, hashSize);

function bytesOf(batch: PreparedBatch, at: number, size: number): Buffer {
  return Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset + at, size);
}

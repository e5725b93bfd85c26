/** Packs a record and its long texts into the block of the running commit. */
import { hashSize, type PreparedBatch, type Slice } from '../../../ingest/prepare/prepared.ts';
import { recordHead } from '../record-reader.ts';
import type { BlockBuilder, Place } from './block-builder.ts';
import type { TextStore } from './text-store.ts';

/** A record as a batch holds it. */
interface Packed {
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

  keep(scope: number, batch: PreparedBatch, { record, texts }: Packed): Place {
    const numbers = texts.map(({ at, size }) => this.#texts.keep(scope, bytesOf(batch, at - hashSize, hashSize), bytesOf(batch, at, size)));
    const place = this.#blocks.add(recordHead(numbers), bytesOf(batch, record.at, record.size));
    this.#blocks.closeIfFull();
    return place;
  }

  /** The bytes that `keep` would store; null when one of the texts is not stored, so no equal record can be. */
  preview(scope: number, batch: PreparedBatch, { record, texts }: Packed): Buffer | null {
    const numbers: number[] = [];
    for (const { at } of texts) {
      const known = this.#texts.find(scope, bytesOf(batch, at - hashSize, hashSize));
      if (known === null) return null;
      numbers.push(known);
    }
    return Buffer.concat([recordHead(numbers), bytesOf(batch, record.at, record.size)]);
  }
}

function bytesOf(batch: PreparedBatch, at: number, size: number): Buffer {
  return Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset + at, size);
}

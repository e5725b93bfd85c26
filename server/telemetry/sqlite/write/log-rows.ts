/** Stores log records beside their spans, whichever arrive first. */
import type { PreparedBatch, PreparedLog } from '../../../ingest/prepare/prepared.ts';
import { readStoredId, storeId } from '../file/id-codec.ts';
import type { OpenDatabase } from '../file/open.ts';
import type { RecordWriter } from './record-writer.ts';

export class LogRows {
  readonly #records: RecordWriter;
  readonly #has;
  readonly #insert;
  readonly #loggedSpans;

  constructor(db: OpenDatabase, records: RecordWriter) {
    this.#records = records;
    this.#has = db
      .prepare<[number, unknown, Buffer], number>('SELECT 1 FROM span_log WHERE trace = ? AND span_id = ? AND hash = ?')
      .pluck();
    this.#insert = db.prepare('INSERT INTO span_log (trace, span_id, hash, block, at, size) VALUES (?, ?, ?, ?, ?, ?)');
    this.#loggedSpans = db.prepare<[number], unknown>('SELECT DISTINCT span_id FROM span_log WHERE trace = ?').pluck();
  }

  /** False when the same record is stored already. */
  insert(scope: number, trace: number, batch: PreparedBatch, log: PreparedLog): boolean {
    if (this.has(trace, log)) return false;
    this.add(scope, trace, batch, log);
    return true;
  }

  /** Stores a record that is not stored yet, and returns its row id. */
  add(scope: number, trace: number, batch: PreparedBatch, log: PreparedLog): number {
    const { block, at, size } = this.#records.write(scope, batch, log);
    return Number(this.#insert.run(trace, storeId(log.span_id), Buffer.from(log.hash, 'hex'), block, at, size).lastInsertRowid);
  }

  /** Whether the same record is stored. */
  has(trace: number, { span_id, hash }: PreparedLog): boolean {
    return this.#has.get(trace, storeId(span_id), Buffer.from(hash, 'hex')) !== undefined;
  }

  /** The spans of a trace that have log records. */
  loggedSpans(trace: number): string[] {
    return this.#loggedSpans.all(trace).map(readStoredId);
  }
}

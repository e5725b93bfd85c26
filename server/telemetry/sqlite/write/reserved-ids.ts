/**
 * Keeps row ids from being used again when the newest rows are deleted: cursors, signatures and what readers cache rely on that. An empty row of
 * no app takes the next id; it is deleted once there are newer rows.
 */
import { flag } from '../file/codes.ts';
import type { OpenDatabase } from '../file/open.ts';
import { recordHead } from '../read/record-reader.ts';
import type { BlockBuilder } from './block-builder.ts';

/** Row id of no app. */
export const noScope = 0;

export class ReservedIds {
  readonly #db: OpenDatabase;
  readonly #blocks: BlockBuilder;
  readonly #now: () => number;
  readonly #newestTrace;
  readonly #traceOfNewestSpan;

  constructor(db: OpenDatabase, blocks: BlockBuilder, now: () => number) {
    this.#db = db;
    this.#blocks = blocks;
    this.#now = now;
    this.#newestTrace = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM trace').pluck();
    this.#traceOfNewestSpan = db.prepare<[], number>('SELECT trace FROM span ORDER BY id DESC LIMIT 1').pluck();
  }

  /** Call it before a trace is deleted, in the same transaction. */
  beforeTrace(trace: number): void {
    if (trace !== this.#newestTrace.get() && trace !== this.#traceOfNewestSpan.get()) return;
    const [nowMs, nowUs] = [this.#now(), this.#now() * 1000];
    this.#blocks.begin(nowMs);
    const place = this.#blocks.add(recordHead([]), Buffer.from('{}'));
    this.#blocks.close();
    const row = Number(
      this.#db
        .prepare('INSERT INTO trace (scope, trace_id, start_us, end_us, listed_us) VALUES (?, randomblob(16), ?, ?, ?)')
        .run(noScope, nowUs, nowUs, nowUs).lastInsertRowid,
    );
    this.#db
      .prepare(
        `INSERT INTO span (scope, trace, span_id, name, start_us, start_rest_ns, duration_ns, status, type, kind, flags, cost_source, resource,
           instrumentation, block, at, size) VALUES (?, ?, randomblob(8), 0, ?, 0, 0, 0, 0, 0, ?, 0, 0, 0, ?, ?, ?)`,
      )
      .run(noScope, row, nowUs, flag.placeholder, place.block, place.at, place.size);
  }

  /** Call it before unused names are deleted. */
  beforeNames(): void {
    const reserve = [
      `INSERT INTO term (scope, key, value) SELECT ${noScope}, '', hex(randomblob(8)) WHERE (SELECT scope FROM term ORDER BY id DESC LIMIT 1) <> ${noScope}`,
      `INSERT INTO document (scope, hash, json) SELECT ${noScope}, randomblob(16), '{}' WHERE (SELECT scope FROM document ORDER BY id DESC LIMIT 1) <> ${noScope}`,
    ].map((sql) => this.#db.prepare(sql));
    const run = () => {
      for (const insert of reserve) insert.run();
    };
    this.#db.transaction(run).immediate();
  }

  /** Deletes the rows that newer ones made superfluous. */
  sweep(): void {
    const sweep = ['span', 'trace'].map((table) =>
      this.#db.prepare(`DELETE FROM ${table} WHERE scope = ${noScope} AND id < (SELECT max(id) FROM ${table})`),
    );
    const run = () => {
      for (const drop of sweep) drop.run();
    };
    this.#db.transaction(run).immediate();
  }
}

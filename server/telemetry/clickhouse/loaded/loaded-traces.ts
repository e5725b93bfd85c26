/**
 * A copy of some traces in memory, in the tables of the SQLite store: what a trace is, how spans, log records and prompts make it, and what each
 * read returns of it has one definition for both stores (docs/adr/052-copies-of-traces-over-clickhouse.md). It is made by writing the stored spans and log records
 * again, in the order in which they arrived.
 */
import { hash } from 'node:crypto';
import type { Score } from '../../../../shared/contract/evaluation/scores.ts';
import type { PriceOverrides } from '../../../ingest/cost/own-prices.ts';
import { createPricing } from '../../../ingest/cost/pricing.ts';
import type { PreparedBatch } from '../../../ingest/prepare/prepared.ts';
import { must } from '../../../platform/assert.ts';
import type { Scope } from '../../../platform/scope.ts';
import { flag } from '../../sqlite/file/codes.ts';
import { readStoredId } from '../../sqlite/file/id-codec.ts';
import { migrate, telemetrySchema } from '../../sqlite/file/migrate.ts';
import { type OpenDatabase, openInMemory } from '../../sqlite/file/open.ts';
import { createReader, type Reader, type SharedWithPool } from '../../sqlite/read/reader.ts';
import { type WriteRequest, Writer } from '../../sqlite/write/writer.ts';
import type { Written } from '../../sqlite/write/written.ts';
import { StorageError } from '../../storage-error.ts';
import { hourOf, type LogRow, type PlaceRow, type RecordRow, readAttribution, type ScoreRow } from '../stored-rows.ts';
import { ChangedRows } from './changes.ts';
import { batchesOf, textsOf } from './replay.ts';

/** Everything that ClickHouse holds of some traces of one app. */
export interface StoredTraces {
  trace_ids: readonly string[];
  records: readonly RecordRow[];
  logs: readonly LogRow[];
  /** By hash. */
  texts: ReadonlyMap<string, string>;
  /** Why some texts cannot be read now; null when all others are lost for good. */
  away: string | null;
  places: readonly PlaceRow[];
  scores: readonly ScoreRow[];
}

export interface CopyReading {
  /** Of the store, so that cursors of one copy are valid in the next. */
  cursorKey: Buffer;
  /** Longest time for one read. */
  budgetMs: number;
  shared: SharedWithPool;
}

export class LoadedTraces {
  readonly db: OpenDatabase;
  readonly changes: ChangedRows;
  readonly #writer: Writer;
  readonly #reader: Reader | null;
  readonly #loaded = new Set<string>();
  readonly #conversations = new Set<string>();
  readonly #addScope;

  /** @param reading for a copy that is read; without it, it is only written to */
  constructor(prices: PriceOverrides, reading: CopyReading | null = null) {
    this.db = openInMemory();
    migrate(this.db, telemetrySchema);
    if (reading) this.db.prepare('UPDATE cursor_key SET key = ?').run(reading.cursorKey);
    this.changes = new ChangedRows(this.db);
    this.#writer = new Writer(this.db, createPricing(prices));
    this.#reader = reading && createReader(this.db, reading.budgetMs, reading.shared, undefined, Number.POSITIVE_INFINITY);
    this.#addScope = this.db.prepare('INSERT OR IGNORE INTO scope (id, tenant_id, app_id) VALUES (?, ?, ?)');
  }

  get spanCount(): number {
    return Number(this.db.prepare('SELECT count(*) FROM span').pluck().get());
  }

  has(scope: Scope, traceId: string): boolean {
    return this.#loaded.has(keyOf(scope, traceId));
  }

  /** Whether it has all traces of a conversation, and all log records of it that have no trace. */
  hasConversation(scope: Scope, conversation: string): boolean {
    return this.#conversations.has(keyOf(scope, conversation));
  }

  noteConversations(scope: Scope, conversations: readonly string[]): void {
    for (const conversation of conversations) this.#conversations.add(keyOf(scope, conversation));
  }

  /** Adds traces that it does not have yet. @param check called between batches; throws to end it */
  load(scope: Scope, stored: StoredTraces, check: () => void = () => {}): void {
    const row = this.#openScope(scope);
    for (const batch of batchesOf(stored.records, stored.logs, stored.texts)) {
      check();
      this.#writeOrThrow({ scope, batch });
    }
    for (const { trace_id, added_tags } of stored.places) {
      if (added_tags.length > 0) this.#writeOrThrow({ scope, tags: { trace_ids: [trace_id], add: added_tags, remove: [] } });
    }
    for (const [attribution, insert] of Map.groupBy(stored.scores, ({ environment, environment_version: version }) =>
      environment === null ? '' : JSON.stringify({ name: environment, version }),
    )) {
      this.#writeOrThrow({ scope, change: { insert: insert.map(scoreOf), remove: [], attribution: readAttribution(attribution) } });
    }
    for (const trace of stored.trace_ids) this.#loaded.add(keyOf(scope, trace));
    this.#remember(row, stored);
    this.changes.clear();
  }

  write(requests: WriteRequest[]): Written {
    for (const { scope } of requests) this.#openScope(scope);
    return this.#writer.write(requests);
  }

  /** Adds texts of a batch that are stored already: its write does not count them as new. */
  addTexts({ scope, batch }: { scope: Scope; batch: PreparedBatch }, isStored: (hash: string) => boolean): void {
    const known = textsOf(batch).filter(({ hash }) => isStored(hash.toString('hex')));
    if (known.length > 0) this.#writer.storeTexts(scope, batch.received_ms, known);
  }

  /** The reads of the SQLite store. */
  get read(): Reader {
    return must(this.#reader, 'the copy was made to be read');
  }

  close(): void {
    this.db.close();
  }

  /** Cursors name the row of the scope, so each app has its own wherever it is loaded. */
  #openScope({ tenant_id, app_id }: Scope): number {
    const id = hash('sha256', JSON.stringify([tenant_id, app_id]), 'buffer').readUIntBE(0, 6) >>> 1 || 1;
    this.#addScope.run(id, tenant_id, app_id);
    return id;
  }

  #writeOrThrow(request: WriteRequest): void {
    const [result] = this.#writer.write([request]).results;
    if (result && 'error' in result) throw result.error;
    // Reads show what there is; what is stored must not be derived from a part of a trace.
    if (!this.#reader && result && 'outcome' in result && result.outcome.conflicts.length > 0)
      throw new StorageError('corrupt', `A stored trace cannot be read: ${result.outcome.conflicts[0]}`);
    if (result && 'spent' in result) throw new StorageError('mistake', 'What is stored has no allowance');
  }

  /** Notes what ClickHouse holds of the loaded rows. */
  #remember(scope: number, { records, places }: StoredTraces): void {
    const { db } = this;
    const arrivals = new Map(records.map(({ trace_id, span_id, arrival }) => [`${trace_id} ${span_id}`, arrival]));
    const ofTraces = new Map(places.map((place) => [place.trace_id, place]));
    const setListed = db.prepare('UPDATE trace SET listed_us = ? WHERE id = ? AND span_count > 0');
    const putTrace = db.prepare('INSERT OR REPLACE INTO stored_trace (id, arrival, hour) VALUES (?, ?, ?)');
    const putSpan = db.prepare('INSERT OR REPLACE INTO stored_span (id, arrival, hour) VALUES (?, ?, ?)');
    const spansOf = db.prepare<[number], { id: number; span_id: unknown; start_us: number; flags: number }>(
      'SELECT id, span_id, start_us, flags FROM span WHERE trace = ?',
    );
    const traces = db.prepare<[number], { id: number; trace_id: unknown; span_count: number }>(
      'SELECT id, trace_id, span_count FROM trace WHERE scope = ? AND id NOT IN (SELECT id FROM stored_trace)',
    );
    for (const { id, trace_id, span_count } of traces.all(scope)) {
      const traceId = readStoredId(trace_id);
      // None: it was made of log records of its conversation, and is not stored.
      const place = ofTraces.get(traceId);
      if (place) {
        setListed.run(place.listed_us, id);
        putTrace.run(id, place.arrival, span_count > 0 ? place.hour : -1);
      }
      for (const span of spansOf.all(id)) {
        const isStored = place && (span.flags & flag.placeholder) === 0;
        const arrival = arrivals.get(`${traceId} ${readStoredId(span.span_id)}`) ?? place?.arrival;
        if (arrival !== undefined) putSpan.run(span.id, arrival, isStored ? hourOf(span.start_us) : -1);
      }
    }
  }
}

const keyOf = ({ tenant_id, app_id }: Scope, traceId: string): string => JSON.stringify([tenant_id, app_id, traceId]);

/** A score without what only its table has. */
export const scoreOf = (row: Omit<ScoreRow, 'resource' | 'arrival'>): Score => ({
  id: row.score_id,
  resource_id: row.resource_id,
  name: row.name,
  score: row.score,
  label: row.label,
  reason: row.reason,
  source: row.source as Score['source'],
  ...(row.user_id !== null && { user_id: row.user_id }),
  ...(row.session_id !== null && { session_id: row.session_id }),
  created_at: new Date(row.created_ms).toISOString(),
});

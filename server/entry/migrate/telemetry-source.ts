/**
 * The telemetry store in the data folder of a gateway, which may go on writing: the connection only reads. What is deleted, or being deleted, is
 * left out: apps, traces of deletions, and those that retention has hidden and removes.
 */
import type { Pricing } from '../../ingest/cost/pricing.ts';
import { must } from '../../platform/assert.ts';
import type { Scope } from '../../platform/scope.ts';
import { StartRefusal } from '../../platform/start-refusal.ts';
import { flag } from '../../telemetry/sqlite/file/codes.ts';
import { storeId } from '../../telemetry/sqlite/file/id-codec.ts';
import { telemetrySchema } from '../../telemetry/sqlite/file/migrate.ts';
import { hasCurrentSchema, type OpenDatabase, openReader } from '../../telemetry/sqlite/file/open.ts';
import { telemetryFile } from '../../telemetry/sqlite/store.ts';
import { LeftOut } from './left-out.ts';
import { type SentLog, SentRows, type SentSpan, sentLogColumns, sentSpanColumns } from './sent-rows.ts';

/**
 * The last rows of tables. Rows of a higher number came later; a span with a later block was replaced by its final record. A log record may have
 * the number of one that was deleted, but its block is later: no block has the number of an earlier one.
 */
export interface Position {
  span: number;
  log: number;
  block: number;
  score: number;
}

export const beginning: Position = { span: 0, log: 0, block: 0, score: 0 };

/** An app that is not deleted. */
export interface SourceApp extends Scope {
  id: number;
}

/** A trace that is not listed though it has spans: retention removes it. */
const isHidden = `trace.span_count = 0 AND EXISTS (SELECT 1 FROM span AS counted WHERE counted.trace = trace.id AND (counted.flags & ${flag.placeholder}) = 0)`;
const isKept = `scope.leaving = 0 AND NOT EXISTS (SELECT 1 FROM deletion_trace WHERE deletion_trace.trace = trace.id) AND NOT (${isHidden})`;
const spans = `SELECT ${sentSpanColumns} FROM span JOIN trace ON trace.id = span.trace JOIN scope ON scope.id = span.scope
  JOIN block ON block.id = span.block WHERE ${isKept}`;
const logs = `SELECT ${sentLogColumns} FROM span_log JOIN trace ON trace.id = span_log.trace JOIN scope ON scope.id = trace.scope
  JOIN block ON block.id = span_log.block LEFT JOIN agent_log ON agent_log.log = span_log.id
  LEFT JOIN span AS made ON made.trace = span_log.trace AND made.span_id = span_log.span_id WHERE ${isKept}`;

export class TelemetrySource {
  readonly db: OpenDatabase;
  readonly rows: SentRows;
  /** What was damaged when it was read. */
  readonly leftOut = new LeftOut();
  /** Names the store for as long as it exists. */
  readonly installation: string;
  readonly #spansAfter;
  readonly #replaced;
  readonly #logsAfter;
  readonly #logsInPlace;
  readonly #spansOf;
  readonly #logsOf;
  readonly #logsSentWith;
  readonly #logsOfConversation;

  /** @throws StartRefusal when there is no store of this version */
  constructor(dataDir: string, pricing: Pricing) {
    const file = telemetryFile(dataDir);
    if (!hasCurrentSchema(file, telemetrySchema))
      throw new StartRefusal(`${file} is of an earlier version: start its gateway in this version once, which migrates it`);
    this.db = openReader(file);
    const { db } = this;
    this.rows = new SentRows(db, pricing);
    this.installation = must(db.prepare<[], string>('SELECT id FROM installation').pluck().get(), 'a store has a name');
    this.#spansAfter = db.prepare<[number, number, number], SentSpan>(`${spans} AND span.id > ? AND span.id <= ? ORDER BY span.id LIMIT ?`);
    this.#replaced = db.prepare<[number, number, number, number], SentSpan>(
      `${spans} AND span.id > ? AND span.id <= ? AND span.block > ? ORDER BY span.id LIMIT ?`,
    );
    this.#logsAfter = db.prepare<[number, number, number, number], SentLog>(
      `${logs} AND span_log.id > ? AND span_log.id <= ? AND span_log.block <= ? ORDER BY span_log.id LIMIT ?`,
    );
    this.#logsInPlace = db.prepare<[number, number, number, number], SentLog>(
      `${logs} AND span_log.id > ? AND span_log.id <= ? AND span_log.block > ? ORDER BY span_log.id LIMIT ?`,
    );
    const traceRow = '(SELECT id FROM trace WHERE scope = ? AND trace_id = ?)';
    this.#spansOf = db.prepare<[number, unknown], SentSpan>(`${spans} AND span.trace = ${traceRow} ORDER BY span.id`);
    this.#logsOf = db.prepare<[number, unknown], SentLog>(
      `${logs} AND span_log.trace = ${traceRow} AND agent_log.own_trace IS NULL ORDER BY span_log.id`,
    );
    this.#logsSentWith = db.prepare<[number, string], SentLog>(
      `${logs} AND agent_log.scope = ? AND agent_log.own_trace = ? ORDER BY span_log.id`,
    );
    this.#logsOfConversation = db.prepare<[number, Buffer], SentLog>(
      `${logs} AND agent_log.scope = ? AND agent_log.conversation = ? ORDER BY span_log.id`,
    );
  }

  /** What is read in a snapshot is of one moment, also in one within it. The write-ahead log of the store grows meanwhile. */
  async inSnapshot<T>(work: () => Promise<T>): Promise<T> {
    if (this.db.inTransaction) return work();
    this.db.exec('BEGIN');
    try {
      return await work();
    } finally {
      this.db.exec('COMMIT');
    }
  }

  /** Where the store ends now. */
  end(): Position {
    const last = (table: string) => this.db.prepare<[], number>(`SELECT coalesce(max(id), 0) FROM ${table}`).pluck().get() ?? 0;
    return { span: last('span'), log: last('span_log'), block: last('block'), score: last('score') };
  }

  apps(): SourceApp[] {
    return this.db.prepare<[], SourceApp>('SELECT id, tenant_id, app_id FROM scope WHERE leaving = 0 ORDER BY id').all();
  }

  deletedApps(): Scope[] {
    return this.db.prepare<[], Scope>('SELECT tenant_id, app_id FROM scope WHERE leaving <> 0 ORDER BY id').all();
  }

  spansAfter(id: number, last: number, limit: number): SentSpan[] {
    return this.#spansAfter.all(id, last, limit);
  }

  /** Spans up to a row whose record came after a block. */
  replaced(id: number, { span, block }: Position, limit: number): SentSpan[] {
    return this.#replaced.all(id, span, block, limit);
  }

  /** @param block the last one of the records */
  logsAfter(id: number, last: number, block: number, limit: number): SentLog[] {
    return this.#logsAfter.all(id, last, block, limit);
  }

  /** Log records up to a row that came after a block, and have the numbers of deleted ones. */
  logsInPlace(id: number, { log, block }: Position, limit: number): SentLog[] {
    return this.#logsInPlace.all(id, log, block, limit);
  }

  /** Whether anything came after a position. */
  hasNewer(position: Position): boolean {
    const end = this.end();
    return (
      end.score > position.score ||
      this.spansAfter(position.span, end.span, 1).length > 0 ||
      this.replaced(0, position, 1).length > 0 ||
      this.logsAfter(position.log, end.log, end.block, 1).length > 0 ||
      this.logsInPlace(0, position, 1).length > 0
    );
  }

  spansOf(app: SourceApp, traceId: string): SentSpan[] {
    return this.#spansOf.all(app.id, storeId(traceId));
  }

  /** Log records that were sent with a span of a trace, wherever they belong now, and those that belong to it and were sent without a span. */
  logsOf(app: SourceApp, traceId: string): SentLog[] {
    return [...this.#logsOf.all(app.id, storeId(traceId)), ...this.#logsSentWith.all(app.id, traceId)];
  }

  /** Log records of turns. */
  logsOfConversation(app: SourceApp, conversation: string): SentLog[] {
    return this.#logsOfConversation.all(app.id, Buffer.from(conversation, 'hex'));
  }

  close(): void {
    this.db.close();
  }
}

/** SQL condition that a row of `trace`, with its `scope`, is moved. */
export const isMoved = isKept;

/** The reads of one connection. Each runs in one snapshot, so that a page and its total always agree. */
import { drizzle } from 'drizzle-orm/better-sqlite3';
import type { PriceOverrides } from '../../../ingest/cost/own-prices.ts';
import { createPricing } from '../../../ingest/cost/pricing.ts';
import { must } from '../../../platform/assert.ts';
import type { Damage } from '../../damage.ts';
import { SpanColumns } from '../columns/span-columns.ts';
import { TraceColumns } from '../columns/trace-columns.ts';
import { DamageReporter } from '../file/damaged.ts';
import { Documents } from '../file/documents.ts';
import type { OpenDatabase } from '../file/open.ts';
import { Filters } from './filters.ts';
import { Lookup } from './lookup.ts';
import { storedCursors } from './opaque-cursor.ts';
import { PayloadCache } from './payload-cache.ts';
import type { ReadAnswer, ReadArgs, ReadMethod } from './read-calls.ts';
import type { ReadContext } from './read-context.ts';
import { createReads } from './reads.ts';
import { RecordReader } from './record-reader.ts';
import { ScoreReads } from './score-reads.ts';
import { SentSpans } from './sent-span.ts';
import { type ReaderSignals, type ReadLimits, TimeLimit } from './time-limit.ts';

/** State that a reader shares with its pool. */
export interface SharedWithPool extends ReaderSignals {
  /** One number, which becomes 1 once the store is known to be damaged. */
  damaged: Int32Array;
  /** The user's own prices. */
  prices: PriceOverrides;
}

/** Runs one read by its name. */
export type Reader = <M extends ReadMethod>(method: M, args: ReadArgs<M>, limits?: ReadLimits) => ReadAnswer<M>;

/**
 * @param shared absent for a reader without a pool
 * @param onDamage receives each damaged item once
 * @param tableRowsMax of the read context
 */
export function createReader(
  db: OpenDatabase,
  budgetMs: number,
  shared?: SharedWithPool,
  onDamage?: (damage: Damage) => void,
  tableRowsMax = 4000,
): Reader {
  const limit = new TimeLimit(budgetMs, shared);
  registerFunctions(db, limit);
  const pricing = createPricing(shared?.prices);
  const context = { ...contextOf(db, limit, new DamageReporter(onDamage)), pricing, tableRowsMax };
  // `ReadArgs` ties arguments to names; here reads are looked up without types.
  const reads = createReads(context) as unknown as Record<string, Record<string, (scope: number, ...args: unknown[]) => unknown>>;
  return <M extends ReadMethod>(method: M, [scope, ...args]: ReadArgs<M>, limits?: ReadLimits) => {
    limit.begin(limits);
    const [group = '', name = ''] = method.split('.');
    const read = must(reads[group]?.[name], `${method} is a read`);
    return read(context.lookup.scope(scope), ...args) as ReadAnswer<M>;
  };
}

function contextOf(db: OpenDatabase, limit: TimeLimit, damageReporter: DamageReporter): Omit<ReadContext, 'pricing' | 'tableRowsMax'> {
  const [documents, lookup] = [new Documents(db), new Lookup(db)];
  const records = new RecordReader(db);
  const sentSpans = new SentSpans(db, records, documents);
  // Registers the function that the statements of the filters need.
  const scores = new ScoreReads(db, lookup, damageReporter);
  const filters = new Filters({ db, limit, damageReporter });
  const columns = { db, documents, limit, damageReporter, rowsWithScore: filters.rowsWithScore.bind(filters) };
  const spanColumns = new SpanColumns(columns);
  return {
    db,
    orm: drizzle(db),
    lookup,
    documents,
    records,
    sentSpans,
    payloads: new PayloadCache(),
    scores,
    filters,
    spanColumns,
    traceColumns: new TraceColumns(columns, spanColumns),
    limit,
    cursors: storedCursors(db, damageReporter),
    damageReporter,
  };
}

function registerFunctions(db: OpenDatabase, limit: TimeLimit): void {
  db.function('fold', { deterministic: true }, (text) => {
    limit.check();
    return typeof text === 'string' ? text.toLowerCase() : text;
  });
  db.function('in_time', () => limit.isLeft());
}

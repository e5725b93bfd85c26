import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { Pricing } from '../../../ingest/cost/pricing.ts';
import type { SpanColumns } from '../columns/span-columns.ts';
import type { TraceColumns } from '../columns/trace-columns.ts';
import type { DamageReporter } from '../file/damaged.ts';
import type { Documents } from '../file/documents.ts';
import type { OpenDatabase } from '../file/open.ts';
import type { Filters } from './filters.ts';
import type { Lookup } from './lookup.ts';
import type { OpaqueCursors } from './opaque-cursor.ts';
import type { PayloadCache } from './payload-cache.ts';
import type { RecordReader } from './record-reader.ts';
import type { ScoreReads } from './score-reads.ts';
import type { SentSpans } from './sent-span.ts';
import type { TimeLimit } from './time-limit.ts';

/** Read context of one connection. None of its members may refer to it. */
export interface ReadContext {
  db: OpenDatabase;
  orm: BetterSQLite3Database;
  lookup: Lookup;
  documents: Documents;
  records: RecordReader;
  sentSpans: SentSpans;
  payloads: PayloadCache;
  scores: ScoreReads;
  filters: Filters;
  spanColumns: SpanColumns;
  traceColumns: TraceColumns;
  limit: TimeLimit;
  cursors: OpaqueCursors;
  damageReporter: DamageReporter;
  pricing: Pricing;
  /** Lists of apps with at most so many rows are read from the table, those of others by columns. */
  tableRowsMax: number;
}

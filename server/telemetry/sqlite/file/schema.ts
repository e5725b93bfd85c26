/** The drizzle tables, for queries built at run time. A test compares them with the migrations. */
import { blob, customType, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A span or trace id: BLOB for hex, TEXT for readable ones (id-codec.ts). */
const storedId = customType<{ data: unknown; driverData: unknown }>({ dataType: () => 'ANY' });

export const scopes = sqliteTable('scope', {
  id: integer().primaryKey(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  trace_count: integer().notNull().default(0),
  span_count: integer().notNull().default(0),
  leaving: integer().notNull().default(0),
});

export const terms = sqliteTable('term', {
  id: integer().primaryKey(),
  scope: integer().notNull(),
  key: text().notNull(),
  value: text().notNull(),
});

export const documents = sqliteTable('document', {
  id: integer().primaryKey(),
  scope: integer().notNull(),
  hash: blob().notNull(),
  json: text().notNull(),
});

/** A view: its columns have no constraint. */
export const traceTerms = sqliteTable('all_trace_terms', {
  term: integer(),
  trace: integer(),
});

export const traces = sqliteTable('trace', {
  id: integer().primaryKey(),
  scope: integer().notNull(),
  trace_id: storedId().notNull(),
  name: integer().notNull(),
  status: integer().notNull(),
  start_us: integer().notNull(),
  end_us: integer().notNull(),
  listed_us: integer().notNull(),
  latency_ns: integer().notNull(),
  cost: real().notNull(),
  tokens: integer().notNull(),
  input_tokens: integer().notNull(),
  output_tokens: integer().notNull(),
  span_count: integer().notNull(),
  error_count: integer().notNull(),
  pending_count: integer().notNull(),
  root: integer().notNull(),
  session: integer().notNull(),
  user: integer().notNull(),
  metadata: integer().notNull(),
  session_name: integer().notNull(),
  prompt_name: integer().notNull(),
  trace_name: integer().notNull(),
  input_span: integer().notNull(),
  output_span: integer().notNull(),
  tags: text().notNull(),
  input_preview: text().notNull(),
  output_preview: text().notNull(),
  longest_ns: integer().notNull(),
  bookkeeping: integer().notNull(),
  added_tags: text().notNull(),
});

export const spans = sqliteTable('span', {
  id: integer().primaryKey(),
  scope: integer().notNull(),
  trace: integer().notNull(),
  span_id: storedId().notNull(),
  parent_id: storedId(),
  name: integer().notNull(),
  start_us: integer().notNull(),
  start_rest_ns: integer().notNull(),
  duration_ns: integer().notNull(),
  status: integer().notNull(),
  type: integer().notNull(),
  kind: integer().notNull(),
  flags: integer().notNull(),
  status_message: text(),
  model: integer(),
  service: integer(),
  session: integer(),
  user: integer(),
  prompt: integer(),
  trace_name: integer(),
  finish_reason: integer(),
  input_tokens: integer(),
  output_tokens: integer(),
  tokens: integer(),
  cache_read_tokens: integer(),
  cache_write_tokens: integer(),
  reasoning_tokens: integer(),
  cost: real(),
  cost_source: integer().notNull(),
  ttft_us: integer(),
  metadata: integer(),
  resource: integer().notNull(),
  instrumentation: integer().notNull(),
  block: integer().notNull(),
  at: integer().notNull(),
  size: integer().notNull(),
  tags: integer(),
  environment: integer(),
  environment_version: integer(),
});

export const sessions = sqliteTable('session', {
  id: integer().primaryKey(),
  scope: integer().notNull(),
  name: text().notNull(),
  start_us: integer().notNull(),
  end_us: integer().notNull(),
  trace_count: integer().notNull(),
  cost: real().notNull(),
  tokens: integer().notNull(),
  latency_ns: integer().notNull(),
  tags: text().notNull(),
});

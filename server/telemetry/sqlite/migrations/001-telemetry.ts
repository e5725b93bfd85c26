/**
 * Narrow rows for what lists, filters and trees read; payloads apart, in compressed blocks; repeated text once.
 * Times are microseconds since the epoch plus the nanoseconds below them, because a double holds no epoch nanoseconds.
 */
export const telemetry = `
CREATE TABLE scope (
  id INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL,
  trace_count INTEGER NOT NULL DEFAULT 0,
  span_count INTEGER NOT NULL DEFAULT 0,
  UNIQUE (tenant_id, app_id)
) STRICT;

-- Every text that repeats and is filtered on: model names, users, sessions, tags, metadata values...
CREATE TABLE term (
  id INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  UNIQUE (scope, key, value)
) STRICT;

-- Small JSON documents that many spans share: resources, scopes, metadata. Found by hash, read with the row.
CREATE TABLE document (
  id INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL,
  hash BLOB NOT NULL,
  json TEXT NOT NULL,
  UNIQUE (scope, hash)
) STRICT;

-- Span records and long texts of one commit, zstd-compressed together.
CREATE TABLE block (
  id INTEGER PRIMARY KEY,
  received_ms INTEGER NOT NULL,
  size INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;

-- One long text (a message, a tool result), stored once however often histories repeat it.
CREATE TABLE chunk (
  id INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL,
  hash BLOB NOT NULL,
  block INTEGER NOT NULL,
  at INTEGER NOT NULL,
  size INTEGER NOT NULL,
  UNIQUE (scope, hash)
) STRICT;

CREATE TABLE trace (
  id INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL,
  trace_id ANY NOT NULL,
  name INTEGER NOT NULL DEFAULT 0,
  status INTEGER NOT NULL DEFAULT 0,
  start_us INTEGER NOT NULL DEFAULT 0,
  end_us INTEGER NOT NULL DEFAULT 0,
  -- Start, or arrival when the sender's clock cannot be right: what lists are ordered by.
  listed_us INTEGER NOT NULL DEFAULT 0,
  latency_ns INTEGER NOT NULL DEFAULT 0,
  cost REAL NOT NULL DEFAULT 0,
  tokens INTEGER NOT NULL DEFAULT 0,
  input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  span_count INTEGER NOT NULL DEFAULT 0,
  error_count INTEGER NOT NULL DEFAULT 0,
  pending_count INTEGER NOT NULL DEFAULT 0,
  root INTEGER NOT NULL DEFAULT 0,
  session INTEGER NOT NULL DEFAULT 0,
  user INTEGER NOT NULL DEFAULT 0,
  metadata INTEGER NOT NULL DEFAULT 0,
  -- The smallest of these names on any of its spans: what a session without a name of its own is called by.
  session_name INTEGER NOT NULL DEFAULT 0,
  prompt_name INTEGER NOT NULL DEFAULT 0,
  trace_name INTEGER NOT NULL DEFAULT 0,
  input_span INTEGER NOT NULL DEFAULT 0,
  output_span INTEGER NOT NULL DEFAULT 0,
  tags TEXT NOT NULL DEFAULT '[]',
  input_preview TEXT NOT NULL DEFAULT '',
  output_preview TEXT NOT NULL DEFAULT '',
  UNIQUE (scope, trace_id)
) STRICT;
CREATE INDEX trace_listed ON trace (scope, listed_us, id) WHERE span_count > 0;

-- Which traces hold a term on any of their spans.
CREATE TABLE trace_term (
  term INTEGER NOT NULL,
  trace INTEGER NOT NULL,
  PRIMARY KEY (term, trace)
) STRICT, WITHOUT ROWID;

-- The id counts arrivals and never repeats: cursors over it see every span once.
CREATE TABLE span (
  id INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL,
  trace INTEGER NOT NULL,
  span_id ANY NOT NULL,
  parent_id ANY,
  name INTEGER NOT NULL,
  start_us INTEGER NOT NULL,
  start_rest_ns INTEGER NOT NULL,
  duration_ns INTEGER NOT NULL,
  status INTEGER NOT NULL,
  type INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  status_message TEXT,
  model INTEGER,
  service INTEGER,
  session INTEGER,
  user INTEGER,
  prompt INTEGER,
  trace_name INTEGER,
  finish_reason INTEGER,
  input_tokens INTEGER,
  output_tokens INTEGER,
  tokens INTEGER,
  cache_read_tokens INTEGER,
  cache_write_tokens INTEGER,
  reasoning_tokens INTEGER,
  cost REAL,
  cost_source INTEGER NOT NULL,
  ttft_us INTEGER,
  metadata INTEGER,
  resource INTEGER NOT NULL,
  instrumentation INTEGER NOT NULL,
  block INTEGER NOT NULL,
  at INTEGER NOT NULL,
  size INTEGER NOT NULL,
  UNIQUE (trace, span_id)
) STRICT;
CREATE INDEX span_started ON span (scope, start_us, id);

CREATE TABLE session (
  id INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL,
  name TEXT NOT NULL,
  start_us INTEGER NOT NULL,
  end_us INTEGER NOT NULL,
  trace_count INTEGER NOT NULL,
  cost REAL NOT NULL,
  tokens INTEGER NOT NULL,
  latency_ns INTEGER NOT NULL,
  tags TEXT NOT NULL
) STRICT;
CREATE INDEX session_started ON session (scope, start_us, id);
`;

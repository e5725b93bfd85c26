/**
 * Tables of the ClickHouse store (docs/adr/052-copies-of-traces-over-clickhouse.md). Each keeps state rows: of the rows with one key the one with the highest `ver`
 * holds, and none if that one is `gone`, so that writing anything again changes nothing. Reads therefore use FINAL.
 *
 * `record`, `log` and `text` hold what was sent; `span`, `trace` and `place` are derived from it, for lists, filters and sums.
 * Times are microseconds since the epoch. `hour` is the hour since the epoch in which lists show a row, 0 for a time that cannot be right.
 */
import { termKey } from '../../sqlite/file/codes.ts';

const app = 'tenant_id LowCardinality(String), app_id LowCardinality(String)';
const state = 'ver UInt64, gone UInt8 DEFAULT 0';
const stateRows = 'ENGINE = ReplacingMergeTree(ver, gone)';
const byMonth = "PARTITION BY toYYYYMM(toDateTime(hour * 3600, 'UTC'))";
/** Keeps the parts of old months merged, where FINAL costs nothing. */
const merged = 'min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1';
/** An insert is answered when it is on the disk. */
const durable = 'fsync_after_insert = 1, fsync_part_directory = 1';

const termsWith = (key: string) => `arrayMap(term -> term.2, arrayFilter(term -> term.1 = '${key}', terms))`;

export const telemetryTables: readonly string[] = [
  // A span as it was prepared for the store; the first final one wins, whatever the order of the inserts.
  `CREATE TABLE IF NOT EXISTS record (
    ${app},
    trace_id String,
    span_id String,
    -- Order of arrival; of a completed span, that of its pending record.
    arrival UInt64 CODEC(Delta, ZSTD(1)),
    -- Number of the commit that inserted it. Above that of the usage row, the record is not counted yet.
    commit UInt64 CODEC(Delta, ZSTD(1)),
    received_ms Int64 CODEC(Delta, ZSTD(1)),
    -- JSON of the environment that the write was attributed to; '' for none.
    attribution LowCardinality(String),
    -- JSON of the derived columns.
    prepared String CODEC(ZSTD(3)),
    resource String CODEC(ZSTD(3)),
    instrumentation String CODEC(ZSTD(3)),
    record String CODEC(ZSTD(3)),
    -- Hashes of the long texts that the record refers to, in order.
    texts Array(FixedString(32)) CODEC(ZSTD(1)),
    ${state}
  ) ${stateRows} ORDER BY (tenant_id, app_id, trace_id, span_id) SETTINGS ${durable}, index_granularity = 1024`,

  // A log record that belongs to a span, or to a prompt of a coding agent. Ids are as sent: where it is shown follows from the others.
  `CREATE TABLE IF NOT EXISTS log (
    ${app},
    trace_id String,
    conversation String,
    hash FixedString(32),
    arrival UInt64 CODEC(Delta, ZSTD(1)),
    received_ms Int64,
    attribution LowCardinality(String),
    span_id String,
    -- JSON of the turn; '' for none.
    turn String CODEC(ZSTD(3)),
    resource String CODEC(ZSTD(3)),
    record String CODEC(ZSTD(3)),
    texts Array(FixedString(32)) CODEC(ZSTD(1)),
    ${state},
    INDEX conversation conversation TYPE bloom_filter GRANULARITY 1
  ) ${stateRows} ORDER BY (tenant_id, app_id, trace_id, conversation, hash, span_id) SETTINGS ${durable}, index_granularity = 1024`,

  // Long texts, each once in an app.
  `CREATE TABLE IF NOT EXISTS text (
    ${app},
    hash FixedString(32),
    text String CODEC(ZSTD(3)),
    ${state}
  ) ${stateRows} ORDER BY (tenant_id, app_id, hash)
    SETTINGS ${durable}, index_granularity = 64, min_compress_block_size = 65536, max_compress_block_size = 65536`,

  // Spans that lists show: no placeholders. Codes of status, type, kind, flags and cost_source are those of the SQLite store.
  `CREATE TABLE IF NOT EXISTS span (
    ${app},
    hour UInt32,
    trace_id String,
    span_id String,
    -- Key of its scores, if that is not the id itself.
    score_key String,
    parent_id String,
    arrival UInt64 CODEC(Delta, ZSTD(1)),
    name String,
    start_us Int64 CODEC(Delta, ZSTD(1)),
    start_rest_ns UInt16,
    duration_ns UInt64 CODEC(T64, ZSTD(1)),
    status UInt8,
    type UInt8,
    kind UInt8,
    flags UInt16,
    status_message String,
    -- Absent texts are ''.
    model LowCardinality(String),
    service LowCardinality(String),
    session String,
    user String,
    prompt LowCardinality(String),
    trace_name String,
    finish_reason LowCardinality(String),
    input_tokens Nullable(UInt64) CODEC(ZSTD(1)),
    output_tokens Nullable(UInt64) CODEC(ZSTD(1)),
    tokens Nullable(UInt64) CODEC(ZSTD(1)),
    cache_read_tokens Nullable(UInt64) CODEC(ZSTD(1)),
    cache_write_tokens Nullable(UInt64) CODEC(ZSTD(1)),
    reasoning_tokens Nullable(UInt64) CODEC(ZSTD(1)),
    cost Nullable(Float64),
    cost_source UInt8,
    ttft_us Nullable(Int64),
    metadata Map(LowCardinality(String), String) CODEC(ZSTD(1)),
    tags Array(LowCardinality(String)),
    -- Of the write; null: as the span itself says.
    environment LowCardinality(Nullable(String)),
    environment_version Nullable(Int64),
    ${state},
    INDEX trace_id trace_id TYPE bloom_filter GRANULARITY 1,
    INDEX span_id span_id TYPE bloom_filter GRANULARITY 1
  ) ${stateRows} ${byMonth} ORDER BY (tenant_id, app_id, hour, trace_id, span_id) SETTINGS ${durable}, ${merged}`,

  // Traces that lists show. The hour is that of \`listed_us\`.
  `CREATE TABLE IF NOT EXISTS trace (
    ${app},
    hour UInt32,
    trace_id String,
    -- Key of its scores, if that is not the id itself.
    score_key String,
    -- Of its first span.
    arrival UInt64,
    name String,
    status UInt8,
    start_us Int64,
    end_us Int64,
    -- Start, or arrival when the clock of the sender cannot be right.
    listed_us Int64,
    latency_ns UInt64,
    longest_ns UInt64,
    cost Float64,
    tokens UInt64,
    input_tokens UInt64,
    output_tokens UInt64,
    span_count UInt32,
    error_count UInt32,
    pending_count UInt32,
    bookkeeping UInt8,
    root_span String,
    root_service LowCardinality(String),
    session String,
    user String,
    metadata Map(LowCardinality(String), String),
    -- The smallest of these names on any of its spans.
    session_name String,
    prompt_name String,
    trace_name String,
    input_span String,
    output_span String,
    input_preview String CODEC(ZSTD(1)),
    output_preview String CODEC(ZSTD(1)),
    tags Array(LowCardinality(String)),
    added_tags Array(LowCardinality(String)),
    -- What any of its spans holds, by the keys of the term dictionary of the SQLite store.
    terms Array(Tuple(LowCardinality(String), String)) CODEC(ZSTD(1)),
    -- Of those, sessions and runs of experiments: what is summed by them does not read all terms.
    sessions Array(String) MATERIALIZED ${termsWith(termKey.session)},
    runs Array(String) MATERIALIZED ${termsWith(termKey.datasetRun)},
    ${state},
    INDEX sessions sessions TYPE bloom_filter GRANULARITY 1,
    INDEX runs runs TYPE bloom_filter GRANULARITY 1,
    INDEX trace_id trace_id TYPE bloom_filter GRANULARITY 1
  ) ${stateRows} ${byMonth} ORDER BY (tenant_id, app_id, hour, trace_id) SETTINGS ${durable}, ${merged}`,

  // Where a trace is listed, and what its spans do not say, by its id. A row of no app holds the usage of its tenant in a month, because what one insert
  // stores is there as a whole or not at all (tenant-usage.ts).
  `CREATE TABLE IF NOT EXISTS place (
    ${app},
    trace_id String,
    arrival UInt64,
    hour UInt32,
    listed_us Int64,
    added_tags Array(String),
    -- Hours of its rows in span.
    span_hours Array(UInt32),
    -- Conversations whose log records decide what belongs to it.
    conversations Array(String),
    -- Of usage: those that were stored for the first time, and bytes of records and long texts. Removals may make it negative.
    spans Int64,
    bytes Int64,
    ${state},
    INDEX conversations conversations TYPE bloom_filter GRANULARITY 1
  ) ${stateRows} ORDER BY (tenant_id, app_id, trace_id) SETTINGS ${durable}, index_granularity = 2048`,

  // \`resource\` is the key by which spellings of \`resource_id\` are equal.
  `CREATE TABLE IF NOT EXISTS score (
    ${app},
    resource String,
    created_ms Int64,
    score_id String,
    arrival UInt64,
    resource_id String,
    name LowCardinality(String),
    score Float64,
    label String,
    reason String CODEC(ZSTD(1)),
    source LowCardinality(String),
    user_id Nullable(String),
    session_id Nullable(String),
    environment LowCardinality(Nullable(String)),
    environment_version Nullable(Int64),
    ${state},
    INDEX score_id score_id TYPE bloom_filter GRANULARITY 1
  ) ${stateRows} ORDER BY (tenant_id, app_id, resource, created_ms, score_id) SETTINGS ${durable}`,

  `CREATE TABLE IF NOT EXISTS deletion (
    ${app},
    id String,
    created_ms Int64,
    state LowCardinality(String),
    traces UInt64,
    spans UInt64,
    removed_traces UInt64,
    ${state}
  ) ${stateRows} ORDER BY (tenant_id, app_id, id) SETTINGS ${durable}`,

  // Traces of deletions that are not removed yet.
  `CREATE TABLE IF NOT EXISTS deletion_trace (
    ${app},
    id String,
    trace_id String,
    ${state}
  ) ${stateRows} ORDER BY (tenant_id, app_id, id, trace_id) SETTINGS ${durable}`,

  // Signs of runs that go on without getting anywhere.
  `CREATE TABLE IF NOT EXISTS runaway (
    ${app},
    trace_id String,
    rule LowCardinality(String),
    service String,
    subject String,
    value Float64,
    cost Float64,
    cost_per_minute Float64,
    -- These three are milliseconds since the epoch.
    found_ms Int64,
    updated_ms Int64,
    -- 0 while the run goes on.
    ended_ms Int64,
    ${state},
    INDEX found_ms found_ms TYPE minmax GRANULARITY 1,
    INDEX ended_ms ended_ms TYPE minmax GRANULARITY 1
  ) ${stateRows} ORDER BY (tenant_id, app_id, trace_id, rule) SETTINGS ${durable}`,

  // Thresholds of services that are not the default; a null turns the rule off.
  `CREATE TABLE IF NOT EXISTS runaway_threshold (
    ${app},
    service String,
    rule LowCardinality(String),
    threshold Nullable(Float64),
    ${state}
  ) ${stateRows} ORDER BY (tenant_id, app_id, service, rule) SETTINGS ${durable}`,

  // Apps that were deleted.
  `CREATE TABLE IF NOT EXISTS erased_app (
    ${app},
    erased_ms Int64,
    is_done UInt8,
    ${state}
  ) ${stateRows} ORDER BY (tenant_id, app_id) SETTINGS ${durable}`,

  // Settings of the store, such as the key of its cursors.
  `CREATE TABLE IF NOT EXISTS setting (
    name String,
    value String,
    ver UInt64
  ) ENGINE = ReplacingMergeTree(ver) ORDER BY name SETTINGS ${durable}`,
];

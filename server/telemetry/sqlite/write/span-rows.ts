/** Writes one span: its texts, its record, its row and the terms that the row refers to. */
import type { PreparedBatch, PreparedSpan, SpanColumns } from '../../../ingest/prepare/prepared.ts';
import { must } from '../../../platform/assert.ts';
import { type Extent, nanosecondsMax } from '../../trace-tree.ts';
import { costSources, flag, kinds, statuses, termKey, types } from '../file/codes.ts';
import { stored } from '../file/damaged.ts';
import { storeId } from '../file/id-codec.ts';
import type { OpenDatabase } from '../file/open.ts';
import type { RecordReader } from '../read/record-reader.ts';
import type { Place } from './block-builder.ts';
import type { Dictionary } from './dictionary.ts';
import type { RecordWriter } from './record-writer.ts';
import type { StoredTreeSpan } from './stored-tree.ts';

/** Derived columns; log records that arrive later change them. */
const derivedColumns = [
  'name',
  'start_us',
  'start_rest_ns',
  'duration_ns',
  'status',
  'type',
  'kind',
  'flags',
  'status_message',
  'model',
  'service',
  'session',
  'user',
  'prompt',
  'trace_name',
  'finish_reason',
  'input_tokens',
  'output_tokens',
  'tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'cost',
  'cost_source',
  'ttft_us',
  'metadata',
  'tags',
] as const;

/** Columns of the raw span. */
const sentColumns = [
  'scope',
  'trace',
  'span_id',
  'parent_id',
  'resource',
  'instrumentation',
  'block',
  'at',
  'size',
  'environment',
  'environment_version',
] as const;

const columns = [...derivedColumns, ...sentColumns];
const assignments = (names: readonly string[]) => names.map((name) => `${name} = ?`).join(', ');

/** Stored row of an earlier span. */
export interface StoredSpan extends Place {
  resource: number;
  instrumentation: number;
}

export class SpanRows {
  readonly #dictionary: Dictionary;
  readonly #recordWriter: RecordWriter;
  readonly #records: RecordReader;
  readonly #insert;
  readonly #replace;
  readonly #update;
  readonly #extend;
  readonly #find;

  constructor(db: OpenDatabase, dictionary: Dictionary, recordWriter: RecordWriter, records: RecordReader) {
    this.#dictionary = dictionary;
    this.#recordWriter = recordWriter;
    this.#records = records;
    this.#insert = db.prepare(`INSERT INTO span (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`);
    this.#replace = db.prepare(`UPDATE span SET ${assignments(columns)} WHERE id = ?`);
    this.#update = db.prepare(`UPDATE span SET ${assignments(derivedColumns)} WHERE id = ?`);
    this.#extend = db.prepare('UPDATE span SET start_us = ?, start_rest_ns = ?, duration_ns = ? WHERE id = ?');
    this.#find = db.prepare<[number], StoredSpan>('SELECT block, at, size, resource, instrumentation FROM span WHERE id = ?');
  }

  insert(scope: number, trace: number, batch: PreparedBatch, span: PreparedSpan, logged: boolean): StoredTreeSpan {
    const refs = this.#refs(scope, span);
    const values = [...derivedValues(span, refs, logged), ...this.#sentValues(scope, trace, batch, span)];
    return treeSpan(Number(this.#insert.run(...values).lastInsertRowid), span, span, refs);
  }

  /** Replaces the record of a pending span with the final one. The row keeps its id. */
  replace(row: number, scope: number, trace: number, batch: PreparedBatch, span: PreparedSpan, logged: boolean): StoredTreeSpan {
    const refs = this.#refs(scope, span);
    this.#replace.run(...derivedValues(span, refs, logged), ...this.#sentValues(scope, trace, batch, span), row);
    return treeSpan(row, span, span, refs);
  }

  /** Writes the derived columns of a stored span again, after log records arrived for it. */
  update(before: StoredTreeSpan, scope: number, columns: SpanColumns): StoredTreeSpan {
    const refs = this.#refs(scope, columns);
    this.#update.run(...derivedValues(columns, refs, true), before.row);
    return treeSpan(before.row, before, columns, refs);
  }

  /** Extends a span to cover its descendants. */
  extend(span: StoredTreeSpan, to: Extent): StoredTreeSpan {
    const duration_ns = storable(to.duration_ns);
    if (to.start_us === span.start_us && to.start_rest_ns === span.start_rest_ns && duration_ns === span.duration_ns) return span;
    this.#extend.run(to.start_us, to.start_rest_ns, duration_ns, span.row);
    return { ...span, start_us: to.start_us, start_rest_ns: to.start_rest_ns, duration_ns };
  }

  /** Whether the stored span equals this one. Writes nothing. */
  equals(row: number, scope: number, batch: PreparedBatch, span: PreparedSpan): boolean {
    const found = stored(this.#find.get(row), `Span row ${row}`);
    const { resource, instrumentation } = this.#resources(scope, batch, span);
    if (found.resource !== resource || found.instrumentation !== instrumentation) return false;
    return this.#recordWriter.equals(this.#records.bytes(found), batch, span);
  }

  #resources(scope: number, batch: PreparedBatch, span: PreparedSpan): { resource: number; instrumentation: number } {
    return {
      resource: this.#dictionary.document(scope, must(batch.resources[span.resource], 'a span has a resource')),
      instrumentation: this.#dictionary.document(scope, must(batch.resources[span.instrumentation], 'a span has a scope')),
    };
  }

  #sentValues(scope: number, trace: number, batch: PreparedBatch, span: PreparedSpan): unknown[] {
    const { resource, instrumentation } = this.#resources(scope, batch, span);
    const { block, at, size } = this.#recordWriter.write(scope, batch, span);
    const parent = span.parent_id === null ? null : storeId(span.parent_id);
    const { attribution } = batch;
    const environment = attribution && this.#dictionary.term(scope, termKey.environment, attribution.name);
    return [
      scope,
      trace,
      storeId(span.span_id),
      parent,
      resource,
      instrumentation,
      block,
      at,
      size,
      environment,
      attribution?.version ?? null,
    ];
  }

  #refs(scope: number, span: SpanColumns): Refs {
    const term = (key: string, value: string) => this.#dictionary.term(scope, key, value);
    return {
      name: term(termKey.name, span.name),
      model: term(termKey.model, span.model),
      service: term(termKey.service, span.service_name),
      session: term(termKey.session, span.session_id),
      user: term(termKey.user, span.user_id),
      prompt: term(termKey.prompt, span.prompt_name),
      trace_name: term(termKey.traceName, span.trace_name),
      finish_reason: term(termKey.finishReason, span.finish_reason),
      metadata: this.#dictionary.document(scope, span.metadata),
      tags: term(termKey.tagSet, span.tags.length === 0 ? '' : JSON.stringify([...new Set(span.tags)].sort())),
    };
  }
}

interface Refs {
  name: number;
  model: number;
  service: number;
  session: number;
  user: number;
  prompt: number;
  trace_name: number;
  finish_reason: number;
  metadata: number;
  tags: number;
}

function derivedValues(span: SpanColumns, refs: Refs, logged: boolean): unknown[] {
  return [
    refs.name,
    span.start_us,
    span.start_rest_ns,
    storable(span.duration_ns),
    statuses.indexOf(span.status),
    types.indexOf(span.type),
    kinds.indexOf(span.semantic_kind),
    flagsOf(span) | (logged ? flag.hasLogs : 0),
    span.status_message || null,
    refs.model || null,
    refs.service || null,
    refs.session || null,
    refs.user || null,
    refs.prompt || null,
    refs.trace_name || null,
    refs.finish_reason || null,
    span.input_tokens,
    span.output_tokens,
    span.total_tokens,
    span.cache_read_tokens,
    span.cache_write_tokens,
    span.reasoning_tokens,
    span.cost,
    costSources.indexOf(span.cost_source),
    span.ttft_ms === null ? null : storable(Math.round(span.ttft_ms * 1000)),
    refs.metadata || null,
    refs.tags || null,
  ];
}

const storable = (nanoseconds: number): number => Math.min(nanoseconds, nanosecondsMax);

function flagsOf(span: SpanColumns): number {
  return (
    (span.pending ? flag.pending : 0) |
    (span.placeholder ? flag.placeholder : 0) |
    (span.bookkeeping ? flag.bookkeeping : 0) |
    (span.preview.input !== null && span.preview.output !== null ? flag.hasPreview : 0) |
    (span.preview.input ? flag.hasInput : 0) |
    (span.preview.output ? flag.hasOutput : 0) |
    (span.usage_aggregate ? flag.aggregate : 0) |
    (span.clock_suspect ? flag.clockSuspect : 0)
  );
}

function treeSpan(row: number, ids: Pick<StoredTreeSpan, 'span_id' | 'parent_id'>, span: SpanColumns, refs: Refs): StoredTreeSpan {
  return {
    row,
    span_id: ids.span_id,
    parent_id: ids.parent_id,
    start_us: span.start_us,
    start_rest_ns: span.start_rest_ns,
    duration_ns: storable(span.duration_ns),
    status: statuses.indexOf(span.status) as 0 | 1 | 2,
    generation: span.type === 'GENERATION',
    pending: span.pending,
    placeholder: span.placeholder,
    bookkeeping: span.bookkeeping,
    has_input: hasText(span.preview.input),
    has_output: hasText(span.preview.output),
    cost: span.cost,
    tokens: tokensOf(span),
    input_tokens: span.input_tokens,
    output_tokens: span.output_tokens,
    name: refs.name,
    trace_name: refs.trace_name,
    session: refs.session,
    user: refs.user,
    metadata: refs.metadata,
  };
}

const hasText = (preview: string | null): boolean | null => (preview === null ? null : preview !== '');

/** Tokens of a span: its reported total, else input plus output. */
function tokensOf({ input_tokens, output_tokens, total_tokens }: SpanColumns): number | null {
  if (total_tokens !== null) return total_tokens;
  return input_tokens === null && output_tokens === null ? null : (input_tokens ?? 0) + (output_tokens ?? 0);
}

/** Lists of traces. */
import type { TraceItem, TraceQuery } from '../../../../shared/contract/tracing/traces.ts';
import type { Scope } from '../../../platform/scope.ts';
import { Encoded, type EncodedPage } from '../../encoded.ts';
import type { Search } from '../../search-reader.ts';
import { statuses } from '../../sqlite/file/codes.ts';
import { isoOf } from '../../sqlite/read/span-wire.ts';
import type { TraceRow } from '../stored-rows.ts';
import type { ReadContext } from './read-context.ts';
import { findTraces, tracesByKey } from './trace-page.ts';

/** Selects an `ItemRow`. */
export const itemColumns = `trace_id, name, status, start_us, end_us, latency_ns, cost, tokens, span_count, error_count, tags,
  input_preview, output_preview`;

export type ItemRow = Pick<
  TraceRow,
  | 'trace_id'
  | 'name'
  | 'status'
  | 'start_us'
  | 'end_us'
  | 'latency_ns'
  | 'cost'
  | 'tokens'
  | 'span_count'
  | 'error_count'
  | 'tags'
  | 'input_preview'
  | 'output_preview'
>;

export class TraceListReads {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  async list(scope: Scope, query: TraceQuery | Search<'traces'>): Promise<EncodedPage<TraceItem>> {
    const { keys, total, totalIsLowerBound } = await findTraces(this.#context, scope, query);
    const rows = await tracesByKey<ItemRow>(this.#context, scope, keys, itemColumns);
    return { data: Encoded.of(rows.map(traceItemOf)), total, ...(totalIsLowerBound && { totalIsLowerBound }) };
  }
}

export function traceItemOf(row: ItemRow): TraceItem {
  const item: TraceItem = {
    id: row.trace_id,
    name: row.name,
    status: statuses[row.status] ?? 'UNSET',
    start: isoOf(row.start_us),
    end: isoOf(row.end_us),
    latency_ms: row.latency_ns / 1e6,
    cost: row.cost,
    tokens: row.tokens,
    span_count: row.span_count,
    error_count: row.error_count,
    tags: row.tags,
  };
  if (row.input_preview !== '') item.input_preview = row.input_preview;
  if (row.output_preview !== '') item.output_preview = row.output_preview;
  return item;
}

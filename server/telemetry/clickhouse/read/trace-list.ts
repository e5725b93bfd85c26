/** Lists of traces. */
import type { TraceItem, TraceQuery } from '../../../../shared/contract/tracing/traces.ts';
import type { Scope } from '../../../platform/scope.ts';
import { Encoded, type EncodedPage } from '../../encoded.ts';
import type { Search } from '../../search-reader.ts';
import { type TraceValues, traceItem } from '../../sqlite/read/wire-items.ts';
import type { ReadContext } from './read-context.ts';
import { findTraces, tracesByKey } from './trace-page.ts';

/** Selects TraceValues. */
export const itemColumns = `trace_id, name, status, start_us, end_us, latency_ns, cost, tokens, span_count, error_count, tags,
  input_preview, output_preview`;

export class TraceListReads {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  async list(scope: Scope, query: TraceQuery | Search<'traces'>): Promise<EncodedPage<TraceItem>> {
    const { keys, total, totalIsLowerBound } = await findTraces(this.#context, scope, query);
    const rows = await tracesByKey<TraceValues>(this.#context, scope, keys, itemColumns);
    return { data: Encoded.of(rows.map(traceItem)), total, ...(totalIsLowerBound && { totalIsLowerBound }) };
  }
}

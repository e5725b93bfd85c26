/** Lists of traces. */
import type { TraceItem, TraceQuery } from '../../../../shared/contract/tracing/traces.ts';
import type { Scope } from '../../../platform/scope.ts';
import { Encoded, type EncodedPage } from '../../encoded.ts';
import type { Search, StatesSearch, TraceState } from '../../search-reader.ts';
import { type TraceValues, traceItem } from '../../sqlite/read/wire-items.ts';
import type { TraceRow } from '../stored-rows.ts';
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

  async states(scope: Scope, query: StatesSearch): Promise<EncodedPage<TraceState>> {
    const { keys, total, totalIsLowerBound } = await findTraces(this.#context, scope, query);
    const columns = 'trace_id, end_us, pending_count';
    const rows = await tracesByKey<Pick<TraceRow, 'trace_id' | 'end_us' | 'pending_count'>>(this.#context, scope, keys, columns);
    const states = rows.map(({ trace_id: id, end_us, pending_count }) => ({ id, end_ms: end_us / 1000, is_running: pending_count > 0 }));
    return { data: Encoded.of(states), total, ...(totalIsLowerBound && { totalIsLowerBound }) };
  }
}

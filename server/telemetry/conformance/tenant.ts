import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type RawSpanReply, rawSpan } from '../../../shared/contract/tracing/raw-span.ts';
import { type SessionItem, type SessionTrace, sessionItem, sessionQuery, sessionTrace } from '../../../shared/contract/tracing/sessions.ts';
import { type SpanIo, type SpanItem, spanIo, spanItem, spanQuery } from '../../../shared/contract/tracing/spans.ts';
import { type ListedTraces, traceList } from '../../../shared/contract/tracing/trace-list.ts';
import {
  type GraphNode,
  graphNode,
  type TraceDetail,
  type TraceItem,
  traceDetail,
  traceItem,
  traceQuery,
} from '../../../shared/contract/tracing/traces.ts';
import type { WriteOutcome } from '../../ingest/sink.ts';
import type { Scope } from '../../platform/scope.ts';
import type { Encoded, EncodedPage } from '../encoded.ts';
import type { TelemetryStore } from '../store.ts';
import { batchOf } from './batch-of.ts';

export interface Decoded<T> {
  data: T[];
  total: number;
}

/** Requests both optional fields of a trace. */
const everyField = { graph: true, scores: true };

/**
 * Test client for one app of a store. Spans are written as OTLP, queries are those of clients, and every result must have exactly the shape that
 * the contract declares.
 */
export class Tenant {
  readonly store: TelemetryStore;
  readonly scope: Scope;

  constructor(store: TelemetryStore, scope: Scope = { tenant_id: `tenant-${randomUUID()}`, app_id: 'app' }) {
    this.store = store;
    this.scope = scope;
  }

  write(spans: object[], received_ms?: number): Promise<WriteOutcome> {
    return this.store.writer.write(this.scope, batchOf(spans, received_ms));
  }

  async traces(query: z.input<typeof traceQuery> = {}): Promise<Decoded<TraceItem>> {
    return page(traceItem, await this.store.traces.list(this.scope, traceQuery.parse(query)));
  }

  /** The list of the viewer. A cursor in the query must be valid. */
  async listed(query: z.input<typeof traceList.rows.query> = {}): Promise<ListedTraces> {
    const found = await this.store.traceList.list(this.scope, traceList.rows.query.parse(query));
    if (!found) throw new Error('The cursor is not known');
    return found.decode();
  }

  /** The only trace of the app. */
  async onlyTrace(): Promise<TraceItem> {
    const { data, total } = await this.traces();
    const [trace] = data;
    if (!trace || total !== 1) throw new Error(`There are ${total} traces, not one`);
    return trace;
  }

  async find(traceId: string, fields = everyField): Promise<TraceDetail | null> {
    const found = await this.store.traces.find(this.scope, traceId, fields);
    return found && decodeExactly(traceDetail, found);
  }

  /** A trace that must exist. */
  async detail(traceId: string, fields = everyField): Promise<TraceDetail> {
    const found = await this.find(traceId, fields);
    if (!found) throw new Error(`No trace ${traceId}`);
    return found;
  }

  async graph(traceId: string): Promise<GraphNode[]> {
    return decodeExactly(z.array(graphNode), await this.store.traces.graph(this.scope, traceId));
  }

  async spans(query: z.input<typeof spanQuery> = {}): Promise<Decoded<SpanItem>> {
    return page(spanItem, await this.store.spans.list(this.scope, spanQuery.parse(query)));
  }

  async ofTrace(traceId: string): Promise<SpanItem[]> {
    return decodeExactly(z.array(spanItem), await this.store.spans.ofTrace(this.scope, traceId));
  }

  async io(traceId: string, spanId: string): Promise<SpanIo | null> {
    const found = await this.store.spans.io(this.scope, traceId, spanId);
    return found && decodeExactly(spanIo, found);
  }

  async raw(traceId: string, spanId: string): Promise<RawSpanReply | null> {
    const found = await this.store.spans.raw(this.scope, traceId, spanId);
    return found && decodeExactly(rawSpan, found);
  }

  async sessions(query: z.input<typeof sessionQuery> = {}): Promise<Decoded<SessionItem>> {
    return page(sessionItem, await this.store.sessions.list(this.scope, sessionQuery.parse(query)));
  }

  async sessionTraces(sessionId: string): Promise<SessionTrace[]> {
    return decodeExactly(z.array(sessionTrace), await this.store.sessions.traces(this.scope, sessionId));
  }

  /**
   * Everything that can be read, in an order that does not depend on arrival, so that two apps with the same spans give equal results.
   */
  async everything(): Promise<object> {
    const traces = await this.traces({ limit: 1000 });
    const spans = await this.spans({ limit: 500 });
    const sessions = await this.sessions({ limit: 1000 });
    const ids = traces.data.map(({ id }) => id).sort();
    return {
      traces: byId(traces),
      spans: { total: spans.total, data: spans.data.sort((a, b) => order(a.trace_id, b.trace_id) || order(a.id, b.id)) },
      sessions: byId(sessions),
      details: await Promise.all(ids.map((id) => this.find(id))),
      ofTraces: await Promise.all(ids.map((id) => this.ofTrace(id))),
      payloads: await Promise.all(spans.data.map(({ trace_id, id }) => this.#payload(trace_id, id))),
      graphs: await Promise.all(ids.map((id) => this.graph(id))),
      sessionTraces: await Promise.all(
        sessions.data.map(async ({ id }) => (await this.sessionTraces(id)).sort((a, b) => order(a.id, b.id))),
      ),
    };
  }

  /** All data of one span except its arrival time. */
  async #payload(traceId: string, spanId: string): Promise<object> {
    const raw = await this.raw(traceId, spanId);
    return { io: await this.io(traceId, spanId), raw: raw && { ...raw, received_at: '' } };
  }
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const byId = <T extends { id: string }>({ data, total }: Decoded<T>): Decoded<T> => ({
  total,
  data: data.sort((a, b) => order(a.id, b.id)),
});

const page = <T>(row: z.ZodType<T>, { data, total }: EncodedPage<T>): Decoded<T> => ({ data: decodeExactly(z.array(row), data), total });

/** Decodes a result, which must have exactly the declared shape: no key may be missing or added. */
function decodeExactly<T>(schema: z.ZodType<T>, encoded: Encoded<T>): T {
  const decoded = encoded.decode();
  const parsed = schema.parse(decoded);
  const [actual, expected] = [JSON.stringify(decoded), JSON.stringify(parsed)];
  if (actual.length !== expected.length) throw new Error(`The result has keys that the contract does not declare:\n${actual}\n${expected}`);
  return parsed;
}

/**
 * What the gateway shows of a trace, read through HTTP. Some fields have no route yet (provider, cache tokens, time to first token,
 * canonical messages): the product's own normaliser computes them from the span of the raw route, as the gateway does itself.
 */

import { contentOf, summarise } from '../../server/ingest/normalise/index.ts';
import type { SpanContent, SpanSummary } from '../../server/ingest/normalise/normalised.ts';
import { decodeJson } from '../../server/ingest/otlp/decode-json.ts';
import type { SpanData } from '../../server/ingest/otlp/raw-span.ts';
import type { RawSpanReply } from '../../shared/contract/tracing/raw-span.ts';
import type { SpanInTrace, SpanIo, SpanItem } from '../../shared/contract/tracing/spans.ts';
import type { TraceDetail, TraceItem } from '../../shared/contract/tracing/traces.ts';
import type { HttpClient } from '../gateway/http-client.ts';

export interface ShownSpan {
  /** In the trace read. */
  wire: SpanInTrace;
  /** In the list of the trace's spans. */
  item: SpanItem | undefined;
  io: SpanIo;
  raw: RawSpanReply;
  /** The raw reply, decoded by the product. */
  sent: SpanData;
  summary: SpanSummary;
  content: SpanContent;
}

export interface ShownTrace {
  detail: TraceDetail;
  item: TraceItem | undefined;
  spans: Map<string, ShownSpan>;
}

const pageSize = 1000;

interface Page<T> {
  data: T[];
  pagination: { total: number };
}

/** Reads all rows of a paginated list. */
export async function readPages<T>(client: HttpClient, path: string, limit = pageSize): Promise<{ rows: T[]; total: number }> {
  const rows: T[] = [];
  for (;;) {
    const page = await client.json<Page<T>>(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}&offset=${rows.length}`);
    rows.push(...page.data);
    if (page.data.length < limit) return { rows, total: page.pagination.total };
  }
}

export type DetailedSpan = Omit<SpanInTrace, keyof SpanIo> & SpanIo;

/** Reads a trace with input and output of each span. */
export async function readDetail(client: HttpClient, traceId: string): Promise<{ detail: TraceDetail; spans: DetailedSpan[] }> {
  const detail = (await client.json<{ data: TraceDetail }>(`/v1/traces/${traceId}`)).data;
  const spans: DetailedSpan[] = [];
  for (const wire of detail.spans) {
    const { data } = await client.json<{ data: SpanIo }>(`/v1/traces/${traceId}/spans/${wire.id}`);
    spans.push({ ...wire, ...data });
  }
  return { detail, spans };
}

/** Null when the gateway does not know the trace. */
export async function readTrace(client: HttpClient, traceId: string, items: Map<string, TraceItem>): Promise<ShownTrace | null> {
  const { status, body } = await client.get(`/v1/traces/${traceId}`);
  if (status !== 200) return null;
  const detail = (JSON.parse(body.toString()) as { data: TraceDetail }).data;
  const list = (await client.json<{ data: SpanItem[] }>(`/v1/traces/${traceId}/spans`)).data;
  const byId = new Map(list.map((item) => [item.id, item]));
  const spans = new Map<string, ShownSpan>();
  const queue = detail.spans[Symbol.iterator]();
  const reader = async () => {
    for (const wire of queue) spans.set(wire.id, await readSpan(client, traceId, wire, byId.get(wire.id)));
  };
  await Promise.all(Array.from({ length: 6 }, reader));
  return { detail, item: items.get(traceId), spans };
}

async function readSpan(client: HttpClient, traceId: string, wire: SpanInTrace, item: SpanItem | undefined): Promise<ShownSpan> {
  const path = `/v1/traces/${traceId}/spans/${wire.id}`;
  const io = (await client.json<{ data: SpanIo }>(path)).data;
  const raw = (await client.json<{ data: RawSpanReply }>(path.replace('/v1/', '/v1/viewer/').concat('/raw'))).data;
  const sent = decodeRaw(raw);
  return { wire, item, io, raw, sent, summary: summarise(sent), content: contentOf(sent) };
}

function decodeRaw({ resource, scope, span }: RawSpanReply): SpanData {
  const scopeSpans = [{ scope, schemaUrl: scope['schemaUrl'], spans: [span] }];
  const request = { resourceSpans: [{ resource, schemaUrl: resource['schemaUrl'], scopeSpans }] };
  const [sent] = decodeJson(Buffer.from(JSON.stringify(request))).spans;
  if (!sent) throw new Error(`The raw route answered a span that the gateway itself would refuse: ${JSON.stringify(span).slice(0, 300)}`);
  return sent;
}

/**
 * What the viewer needs beyond the public routes (rulings 6). Additive, in both modes, answered by the same store code.
 */
import { z } from 'zod';
import { all, one } from './envelope.ts';
import { limit, text } from './parameters.ts';
import { route } from './route.ts';
import { spanPath } from './spans.ts';

/** One committed group of spans. A screen that shows one of `trace_ids` asks again; `more` says the list was cut. */
export const liveEvent = z
  .object({ trace_ids: z.array(z.string()), span_count: z.int(), more: z.boolean() })
  .meta({ id: 'LiveEvent', description: 'The `commit` event of the live stream.' });
export type LiveEvent = z.output<typeof liveEvent>;

/** A span exactly as its sender described it, in OTLP/JSON spelling. */
export const rawSpan = z
  .object({
    resource: z.looseObject({}),
    scope: z.looseObject({}),
    span: z.looseObject({}),
    logs: z.array(z.looseObject({})).meta({ description: 'Log records that came for the span on /v1/logs.' }),
    received_at: z.iso.datetime(),
    warnings: z.array(z.string()),
    provenance: z
      .record(z.string(), z.string())
      .meta({ description: 'Where each understood value came from: `model` ← `gen_ai.response.model`.' }),
  })
  .meta({ id: 'RawSpan', description: 'The raw truth: resource, scope and span as received, as OTLP/JSON.' });
export type RawSpanReply = z.output<typeof rawSpan>;

/** One request that reached an ingest route, also a refused one. */
export const ingestLogEntry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    path: z.string(),
    status: z.int(),
    code: z.string().nullable(),
    message: z.string(),
    encoding: z.string(),
    media_type: z.string(),
    bytes: z.int(),
    spans_accepted: z.int(),
    spans_rejected: z.int(),
    duration_ms: z.number(),
    user_agent: z.string(),
  })
  .meta({ id: 'IngestLogEntry' });
export type IngestLogEntry = z.output<typeof ingestLogEntry>;

export const viewer = {
  live: route({
    id: 'viewer-live',
    method: 'GET',
    path: '/v1/viewer/live',
    summary: 'Follow what is committed, as server-sent events',
    tag: 'viewer',
    permission: 'trace.read',
    reply: liveEvent,
    errors: [],
    wire: 'events',
  }),
  rawSpan: route({
    id: 'viewer-raw-span',
    method: 'GET',
    path: '/v1/viewer/traces/:traceId/spans/:spanId/raw',
    summary: 'Read one span exactly as it was received',
    tag: 'viewer',
    permission: 'span.read',
    params: spanPath,
    reply: one(rawSpan),
    errors: ['span_not_found'],
  }),
  ingestLog: route({
    id: 'viewer-ingest-log',
    method: 'GET',
    path: '/v1/viewer/ingest-log',
    summary: 'List the latest requests that reached an ingest route, refused ones too',
    tag: 'viewer',
    permission: 'trace.read',
    query: z.object({ limit: limit(50, 500), search: text.optional() }),
    reply: all(ingestLogEntry),
    errors: [],
  }),
};

/**
 * What the viewer needs beyond the public routes (docs/reference/http-api.md#viewer-routes). Additive, served in both modes by the same
 * store code.
 */
import { z } from 'zod';
import { all, one } from '../core/envelope.ts';
import { limit, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { matchedPrice, rawSpan } from '../tracing/raw-span.ts';
import { spanPath } from '../tracing/spans.ts';

/** One committed group of spans. A screen that shows one of `trace_ids` reloads; `more` means that the list was cut. */
export const liveEvent = z
  .object({ trace_ids: z.array(z.string()), span_count: z.int(), more: z.boolean() })
  .meta({ id: 'LiveEvent', description: 'The `commit` event of the live stream.' });
export type LiveEvent = z.output<typeof liveEvent>;

/** Requests that were added to the ingest log. A screen that shows the log reloads. */
export const liveRequests = z
  .object({ request_count: z.int(), refused_count: z.int() })
  .meta({ id: 'LiveRequests', description: 'The `requests` event of the live stream.' });
export type LiveRequests = z.output<typeof liveRequests>;

/** Whether the gateway accepts spans. Sent when the stream begins and when it changes. */
const liveIntake = z.object({ paused: z.boolean() }).meta({ id: 'LiveIntake', description: 'The `intake` event of the live stream.' });
export type LiveIntake = z.output<typeof liveIntake>;

/** Traces whose signs of a runaway are others than before. What shows them reads them again. */
const liveRunaways = z
  .object({ trace_ids: z.array(z.string()) })
  .meta({ id: 'LiveRunaways', description: 'The `runaways` event of the live stream.' });
export type LiveRunaways = z.output<typeof liveRunaways>;

/** Somebody asked for the end of the program of the run that follows the stream. */
const liveStop = z.object({ run_id: z.string() }).meta({ id: 'LiveStop', description: 'The `stop` event of the live stream of a run.' });
export type LiveStop = z.output<typeof liveStop>;

const countOf = (what: string) => z.record(z.string(), z.int()).meta({ description: what });

/** One request to an ingest route, accepted or refused. */
export const ingestLogEntry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    path: z.string(),
    status: z.int(),
    code: z.string().nullable(),
    message: z.string(),
    hint: z.string().meta({ description: 'What to turn on at the sender when nothing in the request was usable; `` otherwise.' }),
    encoding: z.string(),
    media_type: z.string(),
    bytes: z.int(),
    spans_accepted: z.int().meta({ description: 'Stored by this request.' }),
    spans_duplicate: z.int().meta({ description: 'Already stored with the same content: a retry.' }),
    spans_rejected: z.int(),
    families: countOf('Spans by recognised instrumentation; `` where none was recognised.'),
    kinds: countOf('Spans by semantic kind.'),
    duration_ms: z.number(),
    user_agent: z.string(),
    batch: z.string().nullable().meta({ description: 'The `X-Service-Batch` of a gateway that forwards: the id it gave to the batch.' }),
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
    query: z.object({
      run_id: text.min(1).max(200).optional().meta({ description: 'The run whose program the caller started and can end.' }),
    }),
    reply: z.union([liveEvent, liveRequests, liveIntake, liveRunaways, liveStop]),
    errors: [],
    wire: 'events',
    // A proxy that compresses would buffer events that should arrive at once.
    cache: 'no-store, no-transform',
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
    touches: ['telemetry'],
    errors: ['span_not_found'],
  }),
  place: route({
    id: 'viewer-place',
    method: 'GET',
    path: '/v1/viewer/places/:id',
    summary: 'Find the trace of an id, which may be a trace id or a span id',
    tag: 'viewer',
    permission: 'span.read',
    params: z.object({ id: z.string().min(1) }),
    reply: one(z.object({ trace_id: z.string(), span_id: z.string().nullable() }).meta({ id: 'Place' })),
    touches: ['telemetry'],
    errors: ['span_not_found'],
  }),
  price: route({
    id: 'viewer-price',
    method: 'GET',
    path: '/v1/viewer/price',
    summary: 'Read what a model costs, and the matched row of the price list; null when none matches',
    tag: 'viewer',
    permission: 'trace.read',
    query: z.object({ model: text, provider: text.optional() }),
    reply: one(matchedPrice.nullable()),
    errors: [],
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

/**
 * A whole trace without its texts, in columns: what a page needs to draw a hundred thousand spans at once. Texts are read
 * separately, for the spans that are on screen.
 */
import { z } from 'zod';
import { all, one } from '../core/envelope.ts';
import { cursor, idList } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { spanInTrace, spanStatus } from './spans.ts';
import { traceScore } from './traces.ts';

const integers = z.array(z.int());
const numbers = z.array(z.number());

/** Every column has one value for each span, oldest first: by start, and the enclosing span before what it encloses. */
const outlineSpans = z.object({
  id: z.array(z.string()),
  parent: integers.meta({ description: 'Index of the parent in these columns; -1 for none.' }),
  start_us: numbers.meta({ description: 'Microseconds after `origin`.' }),
  duration_us: numbers,
  ttft_us: integers.meta({ description: 'From the start to the first token; -1 when not known.' }),
  name: integers.meta({ description: 'Index in `names`.' }),
  model: integers.meta({ description: 'Index in `models`, -1 for none.' }),
  service: integers.meta({ description: 'Index in `services`, -1 for none.' }),
  kind: integers.meta({ description: 'Index in the list of semantic kinds.' }),
  status: integers.meta({ description: '0 UNSET, 1 OK, 2 ERROR.' }),
  flags: integers.meta({
    description: 'Sum of: 1 in progress, 2 model call, 4 its parent has not arrived, 8 without a known price, 16 bookkeeping.',
  }),
  input_tokens: integers,
  output_tokens: integers,
  cached_tokens: integers.meta({ description: 'Input tokens that were read from a cache.' }),
  tokens: integers,
  cost: numbers,
});
export type OutlineSpans = z.output<typeof outlineSpans>;

export const traceOutline = z
  .object({
    id: z.string(),
    name: z.string(),
    status: spanStatus,
    start: z.iso.datetime(),
    end: z.iso.datetime(),
    latency_ms: z.number(),
    cost: z.number(),
    tokens: z.int(),
    session_id: z.string().nullable(),
    user_id: z.string().nullable(),
    tags: z.array(z.string()),
    metadata: z.record(z.string(), z.string()),
    scores: z.array(traceScore),
    origin: z.iso.datetime().meta({ description: 'The start of the earliest span, to the millisecond.' }),
    names: z.array(z.string()),
    models: z.array(z.string()),
    services: z.array(z.string()),
    spans: outlineSpans,
  })
  .meta({ id: 'TraceOutline', description: 'A trace with the numbers of all its spans, in columns, and none of their texts.' });
export type TraceOutline = z.output<typeof traceOutline>;

/** A span as a trace read shows it, with the times of its events. */
export const spanPreview = spanInTrace
  .extend({
    event_us: z
      .array(z.number())
      .meta({ description: 'Times of its events in microseconds after its start; of more than 500, only every second, third and so on.' }),
    event_count: z.int(),
  })
  .meta({ id: 'SpanPreview', description: 'A span with its payload; fields over 8 KiB are previews, named in truncated_fields.' });
export type SpanPreview = z.output<typeof spanPreview>;

/** As many as a screen shows, with room for what is scrolled to next. */
const previewIdsMax = 200;

const previewQuery = z.object({ ids: idList(previewIdsMax, 'span') });

const foundSpans = z
  .object({
    ids: z.array(z.string()),
    searched: z.int().meta({ description: 'How many spans were searched for this answer.' }),
    next: z.string().nullable().meta({ description: 'Where to continue: `after` of the next request. Null when all were searched.' }),
  })
  .meta({ id: 'FoundSpans', description: 'The spans of a trace that contain a text; for a large trace, a part of them.' });
export type FoundSpans = z.output<typeof foundSpans>;

const searchText = z
  .string()
  .regex(/\S/, 'must not be blank')
  .max(1000, 'must not be longer than 1000')
  .transform((value) => value.trim());

const findQuery = z.object({
  q: searchText,
  after: cursor.optional().meta({ description: '`next` of the previous answer; absent for the beginning.' }),
});

const tracePath = z.object({ traceId: z.string().min(1) });

/** A trace as the viewer reads it. These routes are served in both modes, like the public ones. */
export const traceViewer = {
  outline: route({
    id: 'viewer-trace-outline',
    method: 'GET',
    path: '/v1/viewer/traces/:traceId/outline',
    summary: 'Read the numbers of all spans of a trace, in columns, without their texts',
    tag: 'viewer',
    touches: ['telemetry'],
    permission: 'trace.read',
    params: tracePath,
    reply: one(traceOutline),
    errors: ['trace_not_found'],
  }),
  previews: route({
    id: 'viewer-span-previews',
    method: 'GET',
    path: '/v1/viewer/traces/:traceId/spans',
    summary: 'Read the named spans of a trace with previews of their payloads, in the requested order; unknown ones are left out',
    tag: 'viewer',
    touches: ['telemetry'],
    permission: 'span.read',
    params: tracePath,
    query: previewQuery,
    reply: all(spanPreview),
    errors: [],
  }),
  find: route({
    id: 'viewer-find-spans',
    method: 'GET',
    path: '/v1/viewer/traces/:traceId/find',
    summary: 'Find the spans of a trace that contain a text, searching whole payloads too',
    tag: 'viewer',
    touches: ['telemetry'],
    permission: 'span.read',
    params: tracePath,
    query: findQuery,
    reply: one(foundSpans),
    errors: [],
  }),
};

import { z } from 'zod';
import { all, many, one } from '../core/envelope.ts';
import { filterParameter } from '../core/filter-parameter.ts';
import { dateTime, limit, milliseconds, offset, ordered, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { semanticKinds } from './semantic-kinds.ts';

export const spanStatus = z.enum(['UNSET', 'OK', 'ERROR']);
export const spanType = z.enum(['SPAN', 'GENERATION', 'EVENT']);
export type SpanStatus = z.output<typeof spanStatus>;
export type SpanType = z.output<typeof spanType>;

/** Custom metadata: flat, text to text, without the reserved namespaces such as `graph.node.`. */
export const metadata = z.record(z.string(), z.string());

/** Where a cost comes from: reported by the sender, computed from tokens and prices, or not known. Additive. */
export const costSource = z.enum(['reported', 'computed', 'none']);

export const spanItem = z
  .object({
    id: z.string(),
    trace_id: z.string(),
    parent_id: z.string().nullable(),
    name: z.string(),
    status: spanStatus,
    status_message: z.string(),
    duration_ms: z.number(),
    timestamp: z.iso.datetime(),
    type: spanType,
    model: z.string().nullable(),
    input_tokens: z.int(),
    output_tokens: z.int(),
    tokens: z.int(),
    cost: z.number(),
    cost_source: costSource,
    span_kind: z.enum(semanticKinds),
    service_name: z.string(),
    prompt_name: z.string().nullable(),
    metadata,
  })
  .meta({ id: 'Span', description: 'One operation of a trace, without its payload.' });
export type SpanItem = z.output<typeof spanItem>;

export const spanIo = z
  .object({
    input: z.string(),
    output: z.string(),
    output_object: z.string().nullable(),
    tool_calls: z.string().nullable(),
    metadata,
  })
  .meta({ id: 'SpanIO', description: 'The whole payload of one span. Structured values are JSON text.' });
export type SpanIo = z.output<typeof spanIo>;

/** A span inside a trace read. Keys without a value are left out, except those that may be null. */
export const spanInTrace = z
  .object({
    id: z.string(),
    trace_id: z.string(),
    parent_id: z.string().nullable(),
    name: z.string(),
    status: spanStatus,
    status_message: z.string().optional(),
    duration_ms: z.number(),
    timestamp: z.iso.datetime(),
    type: spanType,
    model: z.string().nullable(),
    input_tokens: z.int(),
    output_tokens: z.int(),
    reasoning_tokens: z.int().optional(),
    tokens: z.int(),
    cost: z.number(),
    cost_source: costSource,
    span_kind: z.enum(semanticKinds),
    service_name: z.string().optional(),
    input: z.string().optional(),
    output: z.string().optional(),
    output_object: z.string().optional(),
    tool_calls: z.string().optional(),
    prompt_name: z.string().nullable(),
    props: z.string().nullable(),
    finish_reason: z.string().nullable(),
    settings: z.string().nullable(),
    metadata,
    truncated_fields: z.array(z.string()).optional(),
    damaged: z
      .literal(true)
      .optional()
      .meta({ description: 'Its payload cannot be read: the stored data is damaged, or its storage does not answer now. Additive.' }),
  })
  .meta({
    id: 'SpanInTrace',
    description:
      'A span with its payload. Fields over 8 KiB are previews, named in truncated_fields: JSON stays JSON, and media are references.',
  });
export type SpanInTrace = z.output<typeof spanInTrace>;

export const spanPath = z.object({ traceId: z.string().min(1), spanId: z.string().min(1) });

export const spanQuery = ordered(
  z.object({
    limit: limit(100, 500),
    offset,
    trace_id: text.optional(),
    type: spanType.optional(),
    status: spanStatus.optional(),
    name: text.optional(),
    model: text.optional(),
    min_duration: milliseconds.optional(),
    max_duration: milliseconds.optional(),
    start_date: dateTime.optional(),
    end_date: dateTime.optional(),
    user_id: text.optional(),
    session_id: text.optional(),
    filter: filterParameter('spans'),
  }),
);
export type SpanQuery = z.output<typeof spanQuery>;

const declare = { method: 'GET', tag: 'spans', permission: 'span.read', touches: ['telemetry'] } as const;

export const spans = {
  list: route({
    ...declare,
    id: 'list-spans',
    path: '/v1/spans',
    summary: 'List spans across traces, newest first',
    query: spanQuery,
    reply: many(spanItem),
    errors: ['invalid_filter'],
  }),
  ofTrace: route({
    ...declare,
    id: 'list-trace-spans',
    path: '/v1/traces/:traceId/spans',
    summary: 'List the spans of a trace, oldest first',
    params: z.object({ traceId: z.string().min(1) }),
    reply: all(spanItem),
    errors: [],
  }),
  io: route({
    ...declare,
    id: 'get-span-io',
    path: '/v1/traces/:traceId/spans/:spanId',
    summary: 'Read the whole input, output and metadata of one span',
    params: spanPath,
    reply: one(spanIo),
    errors: ['span_not_found'],
  }),
};

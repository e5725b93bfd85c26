import { z } from 'zod';
import { all, many, one } from '../core/envelope.ts';
import { filterParameter } from '../core/filter-parameter.ts';
import { bookkeeping, date, describedAs, limit, offset, ordered, sortOrder, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { metadata, spanInTrace, spanStatus } from './spans.ts';

export const traceItem = z
  .object({
    id: z.string(),
    name: z.string(),
    status: spanStatus,
    start: z.iso.datetime(),
    end: z.iso.datetime(),
    latency_ms: z.number(),
    cost: z.number(),
    tokens: z.int(),
    span_count: z.int(),
    error_count: z.int().meta({ description: 'Spans with status ERROR, anywhere in the tree. Additive.' }),
    tags: z.array(z.string()),
    input_preview: z.string().optional(),
    output_preview: z.string().optional(),
  })
  .meta({ id: 'Trace', description: 'One run of an application, derived from its spans.' });
export type TraceItem = z.output<typeof traceItem>;

export const graphNode = z
  .object({
    parentNodeId: z.string().optional(),
    nodeId: z.string(),
    spanId: z.string(),
    nodeType: z.string(),
    displayName: z.string(),
    spanName: z.string(),
  })
  .meta({ id: 'GraphNode', description: 'One edge of the agent graph; a node with several parents appears once for each.' });
export type GraphNode = z.output<typeof graphNode>;

export const traceScore = z
  .object({
    id: z.string(),
    resource_id: z.string(),
    name: z.string(),
    score: z.number(),
    label: z.string().nullable().optional(),
    reason: z.string().nullable().optional(),
    source: z.string(),
    user_id: z.string().nullable().optional(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'TraceScore' });
export type TraceScore = z.output<typeof traceScore>;

export const traceDetail = z
  .object({
    id: z.string(),
    name: z.string(),
    status: spanStatus,
    start: z.iso.datetime(),
    end: z.iso.datetime(),
    latency_ms: z.number(),
    cost: z.number(),
    tokens: z.int(),
    input: z.string().optional(),
    output: z.string().optional(),
    metadata,
    spans: z.array(spanInTrace),
    graph: z.array(graphNode).optional(),
    scores: z.array(traceScore).optional(),
  })
  .meta({ id: 'TraceDetail', description: 'A trace with all its spans, oldest first.' });
export type TraceDetail = z.output<typeof traceDetail>;

export const traceSortKeys = ['name', 'status', 'latency', 'cost', 'tokens', 'start_time'] as const;

const tag = z.union([text.transform((value) => [value]), z.array(text)]).meta(describedAs({ type: 'array', items: { type: 'string' } }));

/** Parameters that narrow a list of traces. */
export const tracesNarrowing = {
  start_date: date.optional(),
  end_date: date.optional(),
  status: z.enum(['OK', 'ERROR']).optional(),
  user_id: text.optional(),
  model: text.optional(),
  dataset_run_id: text.optional(),
  session_id: text.optional(),
  commit_sha: text.optional(),
  name: text.optional(),
  tag: tag.optional(),
  filter: filterParameter('traces'),
  bookkeeping,
};

export const traceQuery = ordered(
  z.object({
    limit: limit(50, 1000),
    offset,
    sort_by: z.enum(traceSortKeys).default('start_time'),
    sort_order: sortOrder.default('desc'),
    ...tracesNarrowing,
  }),
);
export type TraceQuery = z.output<typeof traceQuery>;

const tracePath = z.object({ traceId: z.string().min(1) });

/** A comma-separated list; unknown names are ignored. */
const fields = z
  .string()
  .default('')
  .transform((list) => new Set(list.split(',').map((name) => name.trim())))
  .meta({ override: { type: 'string', description: 'Comma-separated list of `graph` and `scores`.' } });

const graphDeprecation = { use: '/v1/traces/{traceId}?fields=graph', sunset: 'Wed, 21 Oct 2026 00:00:00 GMT' };
const declare = { method: 'GET', tag: 'traces', permission: 'trace.read', touches: ['telemetry'] } as const;

export const traces = {
  list: route({
    ...declare,
    id: 'list-traces',
    path: '/v1/traces',
    summary: 'List traces',
    query: traceQuery,
    reply: many(traceItem),
    errors: ['invalid_filter'],
  }),
  get: route({
    ...declare,
    id: 'get-trace',
    path: '/v1/traces/:traceId',
    summary: 'Read one trace with its spans',
    params: tracePath,
    query: z.object({ fields }),
    reply: one(traceDetail),
    errors: ['trace_not_found'],
  }),
  graph: route({
    ...declare,
    id: 'get-trace-graph',
    path: '/v1/traces/:traceId/graph',
    summary: 'Read the agent graph of a trace',
    params: tracePath,
    reply: all(graphNode),
    errors: [],
    deprecated: graphDeprecation,
  }),
};

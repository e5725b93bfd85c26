import { z } from 'zod';
import { all, many } from '../core/envelope.ts';
import { dateTime, limit, offset, ordered, sortOrder, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { spanInTrace } from './spans.ts';
import { traceDetail } from './traces.ts';

export const sessionItem = z
  .object({
    id: z.string(),
    name: z.string(),
    start: z.iso.datetime(),
    end: z.iso.datetime(),
    trace_count: z.int(),
    total_cost: z.number(),
    total_tokens: z.int(),
    latency_ms: z.number(),
    tags: z.array(z.string()).optional(),
  })
  .meta({ id: 'Session', description: 'The traces that carry one session id, summed up.' });
export type SessionItem = z.output<typeof sessionItem>;

export const sessionSortKeys = ['name', 'start', 'end', 'trace_count', 'total_cost', 'total_tokens', 'latency_ms'] as const;

export const sessionQuery = ordered(
  z.object({
    limit: limit(50, 1000),
    offset,
    start_date: dateTime.optional(),
    end_date: dateTime.optional(),
    sort_by: z.enum(sessionSortKeys).default('start'),
    sort_order: sortOrder.default('desc'),
    search: text.optional(),
  }),
);
export type SessionQuery = z.output<typeof sessionQuery>;

export const sessionTrace = z
  .object({
    ...traceDetail.pick({ id: true, name: true, status: true, start: true, end: true, latency_ms: true, cost: true, tokens: true }).shape,
    spans: z.array(spanInTrace),
  })
  .meta({ id: 'SessionTrace' });
export type SessionTrace = z.output<typeof sessionTrace>;

export const sessions = {
  list: route({
    id: 'list-sessions',
    method: 'GET',
    path: '/v1/sessions',
    summary: 'List sessions',
    tag: 'sessions',
    permission: 'session.read',
    query: sessionQuery,
    reply: many(sessionItem),
    touches: ['telemetry'],
    errors: [],
  }),
  traces: route({
    id: 'list-session-traces',
    method: 'GET',
    path: '/v1/sessions/:sessionId/traces',
    summary: 'List the traces of a session with their spans',
    tag: 'sessions',
    permission: 'session.read',
    params: z.object({ sessionId: z.string().min(1) }),
    reply: all(sessionTrace),
    touches: ['telemetry'],
    errors: [],
    deprecated: { use: '/v1/traces?session_id={sessionId}', sunset: 'Wed, 21 Oct 2026 00:00:00 GMT' },
  }),
};

import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { dateTime, flag, ordered } from '../core/parameters.ts';
import { route } from '../core/route.ts';

const usage = { tokens: z.int(), input_tokens: z.int(), output_tokens: z.int() };
const average = z.number().optional().meta({ description: 'Only when `extended` is true.' });

export const metricsSummary = z
  .object({
    total_requests: z.int(),
    success_count: z.int(),
    error_count: z.int(),
    total_cost: z.number(),
    total_tokens: z.int(),
    input_tokens: z.int(),
    output_tokens: z.int(),
    avg_latency_ms: z.number(),
    unique_users: z.int(),
    avg_cost_per_request: average,
    avg_input_tokens_per_request: average,
    avg_output_tokens_per_request: average,
    avg_total_tokens_per_request: average,
    model_count: z.int().optional().meta({ description: 'Only when `extended` is true.' }),
  })
  .meta({ id: 'MetricsSummary', description: 'A request is one GENERATION span. Averages are 0 when there were none.' });

export const metricsBucket = z
  .object({
    date: z.iso.date(),
    hour: z.int().min(0).max(23),
    requests: z.int(),
    successes: z.int(),
    errors: z.int(),
    cost: z.number(),
    ...usage,
    avg_latency_ms: z.number(),
    unique_users: z.int(),
  })
  .meta({ id: 'MetricsBucket', description: 'One hour of UTC that had requests.' });

const report = z.object({ summary: metricsSummary, time_series: z.array(metricsBucket) });
export type MetricsReport = z.output<typeof report>;

export const metrics = {
  get: route({
    id: 'get-metrics',
    method: 'GET',
    path: '/v1/metrics',
    summary: 'Summarise requests, cost, tokens and latency over a range',
    tag: 'metrics',
    permission: 'metrics.read',
    query: ordered(z.object({ start_date: dateTime, end_date: dateTime, extended: flag })),
    reply: one(report),
    errors: [],
    touches: ['telemetry'],
    only: 'cloud',
  }),
};

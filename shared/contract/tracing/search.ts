import { z } from 'zod';
import { filterList } from '../../filter/parse-json.ts';
import { many } from '../core/envelope.ts';
import { bookkeeping, dateTime, ordered, sortOrder } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { score } from '../evaluation/scores.ts';
import { spanItem } from './spans.ts';
import { traceItem, traceSortKeys } from './traces.ts';

/**
 * The body of a search. Numbers in it must be JSON numbers. By default the time range is the last seven days; it is at most 90 days long,
 * which the handler checks, because that takes a clock.
 */
const searchFields = <S extends z.ZodType>(sort_by: S) =>
  z.strictObject({
    start_date: dateTime.optional(),
    end_date: dateTime.optional(),
    filters: filterList.optional(),
    limit: z.int().min(1).max(1000).default(50),
    offset: z
      .int()
      .min(0)
      .max(2 ** 31)
      .default(0),
    sort_by,
    sort_order: sortOrder.default('desc'),
  });

const searchBody = <S extends z.ZodType>(sort_by: S) => ordered(searchFields(sort_by));

const spanSortKey = z
  .enum(['start_time', 'timestamp', 'duration_ms', 'cost', 'tokens', 'name'])
  .default('start_time')
  .transform((key) => (key === 'timestamp' ? 'start_time' : key));

const errors = ['invalid_filter', 'rate_limit_exceeded', 'storage_unavailable'] as const;
const declare = { method: 'POST', tag: 'search', errors, only: 'cloud', rate: 'search' } as const;

export const search = {
  traces: route({
    ...declare,
    id: 'search-traces',
    path: '/v1/traces/search',
    summary: 'Search traces with structured filters',
    permission: 'trace.read',
    body: ordered(searchFields(z.enum(traceSortKeys).default('start_time')).extend({ bookkeeping })),
    reply: many(traceItem),
  }),
  spans: route({
    ...declare,
    id: 'search-spans',
    path: '/v1/spans/search',
    summary: 'Search spans with structured filters',
    permission: 'span.read',
    body: searchBody(spanSortKey),
    reply: many(spanItem),
  }),
  scores: route({
    ...declare,
    id: 'search-scores',
    path: '/v1/scores/search',
    summary: 'Search scores with structured filters',
    permission: 'score.read',
    body: searchBody(z.enum(['created_at', 'score', 'name']).default('created_at')),
    reply: many(score),
  }),
};

export type SearchBody<R extends keyof typeof search> = z.output<(typeof search)[R]['body']>;

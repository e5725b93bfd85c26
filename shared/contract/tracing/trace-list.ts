/**
 * The traces list of the viewer: richer rows than the public list's, over a time range in milliseconds, and what is needed to narrow
 * the list further: counts over time, counts by value, and the observed values.
 */
import { z } from 'zod';
import { all, one, totalIsLowerBound } from '../core/envelope.ts';
import { cursor, limit, milliseconds, offset, ordered, sortOrder, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { semanticKinds } from './semantic-kinds.ts';
import { traceFacets } from './trace-facets.ts';
import { traceMatch, traceMatchesQuery } from './trace-matches.ts';
import { traceItem, traceSortKeys, tracesNarrowing } from './traces.ts';

/** In addition to the parameters of the public list. Times are those that lists are ordered by: of arrival where the sender's clock must be wrong. */
const range = {
  from: milliseconds.optional().meta({ description: 'Since the epoch, inclusive.' }),
  to: milliseconds.optional().meta({ description: 'Since the epoch, exclusive.' }),
  environment: text.optional(),
};

/** Parameters of everything that is counted about the traces of a list. */
export const tracesInRange = z.object({ ...tracesNarrowing, ...range });
export type TracesNarrowing = z.output<typeof tracesInRange>;

const listedQuery = ordered(
  tracesInRange.extend({
    limit: limit(100, 1000),
    offset,
    sort_by: z.enum(traceSortKeys).default('start_time'),
    sort_order: sortOrder.default('desc'),
    arrived: cursor.optional().meta({ description: 'The list as it was when this value was returned: later traces are left out.' }),
    arrived_after: cursor.optional().meta({ description: 'Only traces that arrived later than the list that returned this value.' }),
  }),
);
export type ListedTracesQuery = z.output<typeof listedQuery>;

const listedTrace = traceItem
  .extend({
    session_id: z.string().nullable(),
    user_id: z.string().nullable(),
    prompt_name: z.string().nullable(),
    models: z.array(z.string()),
    scores: z
      .array(z.object({ name: z.string(), score: z.number(), label: z.string() }))
      .meta({ description: 'The latest of each name on the trace itself or on its root span.' }),
    running: z.int().meta({ description: 'Spans that were reported as started and have not ended.' }),
    waiting_for: z
      .object({ name: z.string(), kind: z.enum(semanticKinds), since: z.iso.datetime() })
      .nullable()
      .meta({ description: 'The running span that started last; null for very large traces.' }),
    service: z.string().nullable().meta({ description: 'Of the root span.' }),
    input_span: z.string().nullable().meta({ description: 'The span whose input is the input of the trace.' }),
    output_span: z.string().nullable(),
  })
  .meta({ id: 'ListedTrace', description: 'A trace as the list of the viewer shows it.' });
export type ListedTrace = z.output<typeof listedTrace>;

const listedTraces = z
  .object({
    rows: z.array(listedTrace),
    total: z.int(),
    total_is_lower_bound: totalIsLowerBound,
    bookkeeping_hidden: z.int().meta({
      description:
        "Traces of a coding agent's own runtime that the list leaves out: those in the requested time range; other parameters do not narrow them.",
    }),
    arrived: z.string().meta({
      description: 'Identifies the list as it is now: `arrived` or `arrived_after` of later requests, also after a restart of the gateway.',
    }),
  })
  .meta({ id: 'ListedTraces' });
export type ListedTraces = z.output<typeof listedTraces>;

const bucketsMax = 400;

const tracesOverTime = z
  .object({
    from: z.int().meta({ description: 'Start of the first bucket, milliseconds since the epoch.' }),
    bucket_ms: z.int(),
    counts: z.array(z.int()).meta({ description: 'One for each bucket; empty when nothing matches.' }),
    counts_are_lower_bounds: z
      .literal(true)
      .optional()
      .meta({ description: 'Only the newest traces are counted: counting all with this content would have taken too long.' }),
    errors: z.array(z.int()).meta({ description: 'Those of the counted traces that failed.' }),
    errors_inside: z.array(z.int()).meta({ description: 'Those of the counted traces that did not fail and have a failed span.' }),
    earlier: z.int().meta({
      description:
        'Traces much older than all others, left out of the time axis when `from` is absent. Other parameters do not narrow them.',
    }),
  })
  .meta({ id: 'TracesOverTime' });
export type TracesOverTime = z.output<typeof tracesOverTime>;

const declare = { method: 'GET', tag: 'viewer', permission: 'trace.read', touches: ['telemetry'] } as const;

export const traceList = {
  rows: route({
    ...declare,
    id: 'viewer-list-traces',
    path: '/v1/viewer/traces',
    summary: 'List traces with what the viewer shows of each',
    query: listedQuery,
    reply: one(listedTraces),
    errors: ['invalid_filter'],
  }),
  overTime: route({
    ...declare,
    id: 'viewer-traces-over-time',
    path: '/v1/viewer/traces-over-time',
    summary: 'Count the traces of a list, and those with errors, in equal time steps',
    query: ordered(tracesInRange.extend({ buckets: limit(120, bucketsMax) })),
    reply: one(tracesOverTime),
    errors: ['invalid_filter'],
  }),
  facets: route({
    ...declare,
    id: 'viewer-trace-facets',
    path: '/v1/viewer/trace-facets',
    summary: 'Count the field values of the newest traces of a list',
    query: ordered(tracesInRange.extend({ limit: limit(8, 100) })),
    reply: one(traceFacets),
    errors: ['invalid_filter'],
  }),
  matches: route({
    ...declare,
    id: 'viewer-trace-matches',
    path: '/v1/viewer/trace-matches',
    summary: 'Find where the words of a filter are in traces that match it; traces without a word are left out',
    query: traceMatchesQuery,
    reply: all(traceMatch),
    errors: ['invalid_filter'],
  }),
  values: route({
    ...declare,
    id: 'viewer-filter-values',
    path: '/v1/viewer/filter-values',
    summary: 'List observed values of a filter field that begin with a prefix; for `metadata` and `score`, the names',
    query: z.object({ field: text, prefix: text.default(''), limit: limit(50, 200) }),
    reply: all(z.string()),
    errors: [],
  }),
};

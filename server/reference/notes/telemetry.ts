import { filterSchema } from '../../../shared/contract/tracing/filter-schema.ts';
import { ingest } from '../../../shared/contract/tracing/ingest.ts';
import { metrics } from '../../../shared/contract/tracing/metrics.ts';
import { runTraces } from '../../../shared/contract/tracing/run-traces.ts';
import { search } from '../../../shared/contract/tracing/search.ts';
import { sessions } from '../../../shared/contract/tracing/sessions.ts';
import { spanById } from '../../../shared/contract/tracing/span-by-id.ts';
import { spans } from '../../../shared/contract/tracing/spans.ts';
import { traces } from '../../../shared/contract/tracing/traces.ts';
import { notesOn } from '../note.ts';
import { ids, page, score, span, spanIo, trace } from './samples.ts';

const requestId = '0f8fad5b-d9cb-469f-a165-70867728950e';
const { id, name, status, start, end, latency_ms, cost, tokens } = trace;
const sums = { id, name, status, start, end, latency_ms, cost, tokens };
const { status_message: _, ...spanInTrace } = { ...span, input: spanIo.input, output: spanIo.output };
const inTrace = { ...spanInTrace, props: '{"order":"4821"}', finish_reason: 'stop', settings: '{"temperature":0.2}' };
const node = { nodeId: 'triage', spanId: ids.root, nodeType: 'agent', displayName: 'Triage', spanName: 'answer-ticket' };
const window = { start_date: '2026-01-15T00:00:00.000Z', end_date: '2026-01-16T00:00:00.000Z' };
const usage = { input_tokens: 51_200, output_tokens: 3400 };

const ingestNotes = notesOn(ingest, {
  traces: {
    description:
      'Takes spans from any OpenTelemetry exporter (`OTEL_EXPORTER_OTLP_ENDPOINT` is the address of the gateway), as JSON or protobuf, plain ' +
      'or compressed with gzip, deflate or zstd. A 200 means that the spans are on disk. Spans are validated one by one: those that are ' +
      'refused are counted in `partialSuccess`, and the rest is stored. Sending the same spans again changes nothing, so a request whose answer ' +
      'was lost can simply be repeated. Protobuf requests are answered in protobuf. An event `gen_ai.evaluation.result` becomes a score of its ' +
      'span. Exporters made for another backend may keep its path: `/otel/v1/traces` and `/api/public/otel/v1/traces` are the same.',
    body: {
      resourceSpans: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'support-bot' } }] },
          scopeSpans: [
            {
              spans: [
                {
                  traceId: ids.trace,
                  spanId: ids.call,
                  name: 'chat gpt-4o',
                  startTimeUnixNano: '1768473000412000000',
                  endTimeUnixNano: '1768473002342000000',
                  attributes: [
                    { key: 'gen_ai.request.model', value: { stringValue: 'gpt-4o' } },
                    { key: 'gen_ai.usage.input_tokens', value: { intValue: '1290' } },
                    { key: 'gen_ai.usage.output_tokens', value: { intValue: '74' } },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
    reply: { data: { requestId } },
  },
  logs: {
    description:
      'Takes log records that carry prompts and completions, as newer GenAI instrumentations and coding agents send them, and attaches them to ' +
      'the spans that they name; the span may come later. Where a coding agent sends no spans, its records become a trace for each prompt. ' +
      'Other records are accepted and dropped, so an exporter of all logs needs no filter. Compression, protobuf, ' +
      'partial success and paths are as for spans.',
    body: {
      resourceLogs: [
        {
          scopeLogs: [
            {
              logRecords: [
                {
                  traceId: ids.trace,
                  spanId: ids.call,
                  eventName: 'gen_ai.user.message',
                  body: { kvlistValue: { values: [{ key: 'content', value: { stringValue: 'Where is my order 4821?' } }] } },
                },
              ],
            },
          ],
        },
      ],
    },
    reply: { data: { requestId } },
  },
  metrics: {
    description:
      'Answers like an OTLP endpoint for metrics but stores nothing, so that an exporter that is set up for all signals reports no errors. ' +
      'Costs and tokens are computed from spans.',
    reply: { data: { requestId } },
  },
});

const traceNotes = notesOn(traces, {
  list: {
    description:
      'Traces, newest first unless `sort_by` says otherwise. All parameters narrow the list together. `filter` ' +
      'takes conditions on any field, metadata and scores included.',
    query: { limit: 50, status: 'ERROR', start_date: '2026-01-15', filter: 'model = gpt-4o and cost > 0.01' },
    reply: { data: [trace], pagination: page(1) },
  },
  get: {
    description:
      'A trace with all its spans and their payloads, in the order in which the spans started. Payloads over 8 KiB are previews here; ' +
      '`truncated_fields` names them, and the operation that reads one span returns them whole. `fields` adds the agent graph and the scores.',
    path: { traceId: ids.trace },
    query: { fields: 'scores' },
    reply: {
      data: {
        ...sums,
        input: spanIo.input,
        output: spanIo.output,
        metadata: { customer: 'acme' },
        spans: [inTrace],
        scores: [score],
      },
    },
  },
  graph: {
    description:
      'The graph of agents and tools that the spans of a trace describe, with one entry for each edge: a node with two parents appears twice. A trace ' +
      'without a graph, or an unknown one, has an empty list.',
    path: { traceId: ids.trace },
    reply: { data: [node, { ...node, nodeId: 'reply', displayName: 'Reply', parentNodeId: 'triage', spanId: ids.call }] },
  },
});

const spanNotes = {
  ...notesOn(spans, {
    list: {
      description:
        'Spans of all traces, newest first, without their payloads: for questions such as which model calls took longer than ten seconds. ' +
        'All parameters narrow the list together.',
      query: { limit: 100, type: 'GENERATION', model: 'gpt-4o', min_duration: 10_000 },
      reply: { data: [span], pagination: { limit: 100, offset: 0, total: 1 } },
    },
    ofTrace: {
      description:
        'All spans of one trace without their payloads, oldest first. The list is not paged; for an unknown trace it is empty. ' +
        '`parent_id` gives the tree.',
      path: { traceId: ids.trace },
      reply: { data: [span] },
    },
    io: {
      description: 'The whole payload of one span, however large it is. Structured values are JSON text, which the client parses.',
      path: { traceId: ids.trace, spanId: ids.call },
      reply: { data: spanIo },
    },
  }),
  ...notesOn(spanById, {
    get: {
      description:
        'One span with its payload, for callers that know its id but not that of its trace. If two traces have a span with this id, the newer ' +
        'one is returned.',
      path: { spanId: ids.call },
      reply: { data: { ...span, ...spanIo } },
    },
  }),
};

const sessionNotes = notesOn(sessions, {
  list: {
    description:
      'Conversations and other work of more than one trace, with their totals. A session consists of the traces with the same `session.id` ' +
      'and is not created explicitly. `GET /v1/traces?session_id=…` lists its traces.',
    query: { limit: 50, search: 'conversation', sort_by: 'total_cost', sort_order: 'desc' },
    reply: {
      data: [
        {
          id: ids.session,
          name: 'answer-ticket',
          start: trace.start,
          end: '2026-01-15T10:41:19.000Z',
          trace_count: 4,
          total_cost: 0.0172,
          total_tokens: 5630,
          latency_ms: 2480,
          tags: ['support'],
        },
      ],
      pagination: page(1),
    },
  },
  traces: {
    description: 'The traces of one session with their spans, oldest first. The list is not paged; for an unknown session it is empty.',
    path: { sessionId: ids.session },
    reply: { data: [{ ...sums, spans: [inTrace] }] },
  },
});

const searchNote =
  'The time range is the last seven days unless the body says otherwise, and at most 90 days long. All filters of the list must hold; an ' +
  '`or` holds when one of its predicates does. `GET /v1/filter-schema` lists the fields and operators. Searches have a rate limit of their own.';

const searchNotes = notesOn(search, {
  traces: {
    description: `Traces by structured filters. ${searchNote}`,
    body: {
      ...window,
      filters: [
        { field: 'cost', operator: 'gt', value: 0.01 },
        {
          or: [
            { field: 'model', operator: 'equals', value: 'gpt-4o' },
            { field: 'tags', operator: 'contains', value: 'support' },
          ],
        },
      ],
      sort_by: 'cost',
    },
    reply: { data: [trace], pagination: page(1) },
  },
  spans: {
    description: `Spans of all traces by structured filters, without their payloads. ${searchNote}`,
    body: { ...window, filters: [{ field: 'latency_ms', operator: 'between', value: [1000, 5000] }], sort_by: 'duration_ms' },
    reply: { data: [span], pagination: page(1) },
  },
  scores: {
    description: `Scores by structured filters. ${searchNote}`,
    body: { ...window, filters: [{ field: 'name', operator: 'in', value: ['helpful', 'correct'] }], sort_by: 'created_at' },
    reply: { data: [score], pagination: page(1) },
  },
});

export const telemetryNotes = {
  ...ingestNotes,
  ...traceNotes,
  ...notesOn(runTraces, {
    list: {
      description: 'The traces with this `dataset_run_id`, newest first. The list of an unknown run is empty.',
      path: { runId: 'run-7f3a' },
      query: { limit: 50 },
      reply: { data: [trace], pagination: page(1) },
    },
  }),
  ...spanNotes,
  ...sessionNotes,
  ...searchNotes,
  ...notesOn(filterSchema, {
    get: {
      description:
        'What `filter` of the lists and `filters` of the searches may contain: the fields of traces, spans and scores with their operators, the ' +
        'patterns of fields with names that the sender chooses, and the limits. The same for every app; editors complete filters from it.',
      reply: { data: { resources: filterResources() } },
    },
  }),
  ...notesOn(metrics, {
    get: {
      description:
        'Model calls in a time range: how many, how many failed, what they cost and how long they took, in total and for each hour that had ' +
        'any. A call is a span of type `GENERATION`.',
      query: { ...window, extended: 'true' },
      reply: {
        data: {
          summary: {
            ...{ total_requests: 40, success_count: 39, error_count: 1, total_cost: 0.162, total_tokens: 54_600, ...usage },
            ...{ avg_latency_ms: 1870, unique_users: 12, avg_cost_per_request: 0.00405, model_count: 1 },
          },
          time_series: [
            {
              ...{ date: '2026-01-15', hour: 10, requests: 40, successes: 39, errors: 1, cost: 0.162, tokens: 54_600, ...usage },
              ...{ avg_latency_ms: 1870, unique_users: 12 },
            },
          ],
        },
      },
    },
  }),
};

function filterResources() {
  const limits = { max_predicates: 20, max_in_values: 50 } as const;
  const fields = [{ name: 'cost', kind: 'numeric' as const, operators: ['equals' as const, 'gt' as const, 'lt' as const] }];
  const dynamic_fields = [
    {
      pattern: 'metadata.<key>',
      key_pattern: '^[A-Za-z0-9_.-]{1,119}$',
      kind: 'metadata' as const,
      operators: ['equals' as const, 'exists' as const],
    },
  ];
  const resource = { fields, dynamic_fields, limits };
  return { traces: resource, spans: resource, scores: { ...resource, dynamic_fields: [] } };
}

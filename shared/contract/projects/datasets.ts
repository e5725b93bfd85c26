import { z } from 'zod';
import { bodyLimits } from '../core/body-limit.ts';
import { json, many, one } from '../core/envelope.ts';
import { limit, offset, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';

export const dataset = z
  .object({
    name: z.string(),
    row_count: z.int().nullable().meta({ description: 'Null for a file that is too large to be read.' }),
    created_at: z.iso.datetime(),
    size_bytes: z.int().optional().meta({ description: 'Only for a file that is too large to be read.' }),
  })
  .meta({ id: 'Dataset', description: '`name` is a path under the templates folder and ends in `.jsonl`.' });

export const datasetRow = z
  .strictObject({
    input: json,
    expected_output: json.optional(),
    metadata: z.record(z.string(), json).optional(),
  })
  .meta({
    id: 'DatasetRow',
    description: '`input` is required and may be null. No other keys are allowed, and the row is not wrapped in an envelope.',
  });
export type DatasetRow = z.output<typeof datasetRow>;

const pathText = text.meta({ description: '`$`, `$.a.b` or `$.spans[0].name`.' });

export const rowMapping = z.object({
  input: pathText.optional(),
  expected_output: pathText.optional(),
  metadata: z.record(z.string(), pathText).optional(),
});
export type RowMapping = z.output<typeof rowMapping>;

const ids = z.array(text.min(1, 'must not be empty')).min(1, 'must not be empty').max(100, 'must not hold more than 100');

const importResult = z.object({
  source_id: z.string(),
  status: z.enum(['created', 'failed']),
  line_number: z.int().optional(),
  error: z.string().optional(),
});
export type ImportResult = z.output<typeof importResult>;

const importReply = one(z.object({ added: z.int(), results: z.array(importResult) }));

const datasetPath = z.object({
  datasetName: z.string().min(1).meta({ description: 'Path under the templates folder without `.jsonl`; `/` within it is sent as `%2F`.' }),
});
const declare = { tag: 'datasets', method: 'POST', permission: 'dataset.write', params: datasetPath } as const;

export const datasets = {
  list: route({
    id: 'list-datasets',
    method: 'GET',
    path: '/v1/datasets',
    summary: 'List datasets by name',
    tag: 'datasets',
    permission: 'dataset.read',
    query: z.object({
      limit: limit(50, 1000),
      offset,
      name: text.optional().meta({ description: 'The exact last part of the name, without `.jsonl`.' }),
    }),
    reply: many(dataset),
    touches: ['templates'],
    errors: [],
  }),
  append: route({
    ...declare,
    id: 'append-dataset-row',
    path: '/v1/datasets/:datasetName/rows',
    summary: 'Append a row; the dataset is created when it is missing',
    bodyMax: bodyLimits.maximum, // A row has at most 5 MiB as it is stored; escapes and spaces may make it larger as it is sent.
    body: datasetRow,
    reply: one(z.object({ line_number: z.int() })),
    status: [201],
    touches: ['templates'],
    errors: [],
  }),
  importTraces: route({
    ...declare,
    id: 'import-dataset-rows-from-traces',
    path: '/v1/datasets/:datasetName/rows/from-traces',
    summary: 'Append a row for each trace',
    body: z.object({ trace_ids: ids, mapping: rowMapping.optional() }),
    reply: importReply,
    status: [201, 207],
    touches: ['telemetry', 'templates'],
    errors: [],
  }),
  importSpans: route({
    ...declare,
    id: 'import-dataset-rows-from-spans',
    path: '/v1/datasets/:datasetName/rows/from-spans',
    summary: 'Append a row for each span',
    body: z.object({ span_ids: ids, mapping: rowMapping.optional() }),
    reply: importReply,
    status: [201, 207],
    touches: ['telemetry', 'templates'],
    errors: [],
  }),
};

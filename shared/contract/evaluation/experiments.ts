/**
 * Experiments are computed from the traces that share a `dataset_run_id`. Camel case, as the service publishes it
 * (docs/reference/jobs.md#what-an-experiment-is).
 */
import { z } from 'zod';
import { many, one } from '../core/envelope.ts';
import { date, limit, offset, ordered, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';

const moment = z.iso.datetime();

export const experimentSummary = z
  .object({
    id: z.string(),
    name: z.string(),
    datasetPath: z.string(),
    promptName: z.string(),
    start: moment.optional(),
    end: moment.optional(),
    itemCount: z.int(),
    avgLatencyMs: z.int(),
    totalCost: z.number(),
    totalTokens: z.int().optional(),
    avgScore: z.number().nullable(),
    commitSha: z.string().optional(),
    createdAt: moment.optional(),
    status: z.enum(['running', 'stalled']).optional(),
  })
  .meta({ id: 'ExperimentSummary' });
export type ExperimentSummary = z.output<typeof experimentSummary>;

export const experimentItem = z
  .object({
    traceId: z.string(),
    itemName: z.string(),
    input: z.string(),
    expectedOutput: z.string(),
    output: z.string(),
    latencyMs: z.number(),
    cost: z.number(),
    tokens: z.number(),
    model: z.string(),
    scores: z.array(z.object({ name: z.string(), score: z.number(), label: z.string(), reason: z.string() })),
  })
  .meta({ id: 'ExperimentItem' });
export type ExperimentItem = z.output<typeof experimentItem>;

export const experimentDetail = experimentSummary.extend({ items: z.array(experimentItem) }).meta({ id: 'ExperimentDetail' });
export type ExperimentDetail = z.output<typeof experimentDetail>;

export const baseline = z
  .object({
    resolved: z.object({ runId: z.string(), treeHash: z.string(), matchedExactCommit: z.boolean() }).nullable(),
    rows: z.array(z.object({ inputHash: z.string(), scorer: z.string(), score: z.number() })),
  })
  .meta({ id: 'ExperimentBaseline', description: 'Scores by the hash of the item’s input: canonical JSON, FNV-1a 64.' });
export type Baseline = z.output<typeof baseline>;

const key = text.min(1, 'must not be empty');

export const baselineQuery = z.object({
  experiment_key: key,
  tree_hash: key,
  dataset_path: text.optional().meta({ description: 'Accepted, but does not narrow the result.' }),
});
export type BaselineQuery = z.output<typeof baselineQuery>;

export const experimentQuery = ordered(
  z.object({
    limit: limit(50, 200),
    offset,
    start_date: date.optional(),
    end_date: date.optional(),
    prompt_name: text.optional(),
    dataset_path: text.optional(),
  }),
);
export type ExperimentQuery = z.output<typeof experimentQuery>;

const declare = { tag: 'experiments', method: 'GET', permission: 'experiment.read', touches: ['telemetry'] } as const;

export const experiments = {
  list: route({
    ...declare,
    id: 'list-experiments',
    path: '/v1/experiments',
    summary: 'List experiments, newest first',
    query: experimentQuery,
    reply: many(experimentSummary),
    errors: [],
  }),
  baseline: route({
    ...declare,
    id: 'get-experiment-baseline',
    path: '/v1/experiments/baseline',
    summary: 'Read the scores that a run of this experiment is compared with',
    query: baselineQuery,
    reply: one(baseline),
    errors: [],
  }),
  get: route({
    ...declare,
    id: 'get-experiment',
    path: '/v1/experiments/:experimentId',
    summary: 'Read one experiment with its items',
    params: z.object({ experimentId: z.string().min(1) }),
    reply: one(experimentDetail),
    errors: ['experiment_not_found'],
  }),
};

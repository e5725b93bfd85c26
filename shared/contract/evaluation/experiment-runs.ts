/**
 * Experiments that are started here and run by the worker of the app. Their results are traces, as of any experiment (experiments.ts);
 * these routes control the run. Additive: the service publishes no such route.
 */
import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { bounded, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';

const moment = z.iso.datetime();

export const experimentRun = z
  .object({
    experiment_id: z.uuid().meta({ description: 'The `dataset_run_id` of its traces, and the id of the experiment.' }),
    name: z.string(),
    dataset: z.string(),
    prompt: z.string().nullable(),
    evals: z.array(z.string()),
    status: z.enum(['running', 'succeeded', 'failed', 'cancelled', 'timed_out']),
    rows_total: z.int().nullable().meta({ description: 'Null until the worker has counted them.' }),
    rows_done: z.int().meta({ description: 'Including those that failed.' }),
    rows_failed: z.int(),
    error: z.string().nullable(),
    created_by: z.string(),
    created_at: moment,
    finished_at: moment.nullable(),
  })
  .meta({ id: 'ExperimentRun', description: 'One run of a dataset by the worker. It ends once, and its final status never changes.' });
export type ExperimentRun = z.output<typeof experimentRun>;

const list = (value: z.ZodType<string>) => z.array(value).max(50, 'must not be longer than 50');

const experimentDraft = z.object({
  dataset: bounded(1, 512).meta({ description: 'A dataset of the app, with or without `.jsonl`.' }),
  prompt: text
    .max(512)
    .refine((value) => value.endsWith('.prompt.mdx'), 'must end in .prompt.mdx')
    .optional()
    .meta({ description: 'Path of a prompt under the templates folder. Without one the worker’s own code decides what to run.' }),
  name: bounded(1, 255).optional().meta({ description: 'Name of the run; generated when absent.' }),
  evals: list(bounded(1, 255)).default([]).meta({ description: 'Names of evals of the worker.' }),
  concurrency: z.int().min(1).max(50).default(5),
  row_limit: z.int().min(1).max(1_000_000).optional().meta({ description: 'Run only the first rows, this many.' }),
  experiment_key: bounded(1, 255)
    .optional()
    .meta({ description: 'Runs with the same key are compared; the prompt or dataset when absent.' }),
});
export type ExperimentDraft = z.output<typeof experimentDraft>;

export const workerStatus = z
  .object({
    connected_at: moment,
    last_heard_at: moment,
    sdk_version: z.string().nullable(),
    adapter: z.string().nullable(),
    language: z.enum(['typescript', 'python']).nullable(),
  })
  .meta({ id: 'WorkerStatus', description: 'The connected worker, as it described itself.' });
export type WorkerStatus = z.output<typeof workerStatus>;

const experimentPath = z.object({ experimentId: z.string().min(1) });
const declare = { tag: 'experiments', only: 'cloud' } as const;

export const experimentRuns = {
  start: route({
    ...declare,
    id: 'start-experiment',
    method: 'POST',
    path: '/v1/experiments',
    summary: 'Run a dataset with the connected worker',
    permission: 'worker.run',
    body: experimentDraft,
    reply: one(experimentRun),
    status: [202],
    touches: ['control', 'templates'],
    errors: ['dataset_not_found', 'template_not_found', 'template_parse_error', 'worker_not_connected'],
  }),
  get: route({
    ...declare,
    id: 'get-experiment-run',
    method: 'GET',
    path: '/v1/experiments/:experimentId/run',
    summary: 'Read the progress of an experiment run',
    permission: 'experiment.read',
    params: experimentPath,
    reply: one(experimentRun),
    touches: ['control'],
    errors: ['experiment_not_found'],
  }),
  cancel: route({
    ...declare,
    id: 'cancel-experiment',
    method: 'POST',
    path: '/v1/experiments/:experimentId/cancel',
    summary: 'Cancel the run of an experiment; its traces stay',
    permission: 'worker.run',
    params: experimentPath,
    reply: one(experimentRun),
    touches: ['control'],
    errors: ['experiment_not_found', 'run_already_terminal'],
  }),
  worker: route({
    ...declare,
    id: 'get-worker',
    method: 'GET',
    path: '/v1/viewer/worker',
    summary: 'Read which worker is connected',
    tag: 'viewer',
    permission: 'worker.read',
    reply: one(workerStatus.nullable()),
    errors: [],
  }),
  evals: route({
    ...declare,
    id: 'list-worker-evals',
    method: 'GET',
    path: '/v1/viewer/worker/evals',
    summary: 'Ask the worker for the names of its evals',
    tag: 'viewer',
    permission: 'worker.run',
    reply: one(z.array(z.string())),
    errors: ['worker_not_connected', 'worker_job_failed'],
  }),
};

import { z } from 'zod';
import { bodyLimits } from '../core/body-limit.ts';
import { many, one } from '../core/envelope.ts';
import { paging, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { repositoryName } from '../projects/git-names.ts';

export const runStatus = z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']);

/** Leads to the live thread in the dashboard; every answer about workers has one. */
export const threadUrl = z.string().meta({ description: 'The live thread in the dashboard.' });

/** An agent's task. White space alone passes: the agent may know what to make of it. */
export const taskPrompt = text.min(1, 'must not be empty').max(100_000);

/** Of a text in a list; there it ends in `…` where it is longer. Read by itself, a run has all of it. */
export const briefTextChars = 10_000;

/** The commit on the work branch that holds what a turn left in the workspace. Null where it left nothing new. */
const checkpoint = z
  .object({ commit_sha: z.string(), files: z.int(), insertions: z.int(), deletions: z.int() })
  .meta({ id: 'WorkerCheckpoint' });

export const workerRun = z
  .object({
    run_id: z.string(),
    environment_id: z.uuid().nullable(),
    turn_index: z.int(),
    status: runStatus,
    task_prompt: z.string().meta({ description: `Whole where one run is read; lists end it after ${briefTextChars} characters.` }),
    repo: z.string().nullable(),
    work_branch: z.string().nullable(),
    result: z.string().nullable().meta({ description: 'What the agent said in the end; cut in lists as the task is.' }),
    error: z.string().nullable(),
    cost_usd: z.number().nullable(),
    checkpoint: checkpoint.nullable(),
    cancel_requested_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    completed_at: z.iso.datetime().nullable(),
    url: threadUrl,
  })
  .meta({ id: 'WorkerRun', description: 'One task given to a worker: by itself, or as a turn in a worker environment.' });

export const dispatched = z.object({ run_id: z.string(), turn_index: z.int(), url: threadUrl }).meta({ id: 'DispatchedTurn' });

/** Passed to the agent's command, where it must not read as an option. */
const modelName = text.max(128).regex(/^[A-Za-z0-9][\w.:/@+-]*$/, 'must be the name of a model');
/** Never a ref or an option: both would be more than a commit. */
const commitName = text.max(64).regex(/^[0-9a-f]{7,64}$/, 'must be the hexadecimal name of a commit');

const newRun = z.object({
  task_prompt: taskPrompt,
  repo: repositoryName.optional(),
  base_commit: commitName.optional(),
  environment: text.max(255).optional(),
  model: modelName.optional(),
  max_cost_usd: z.number().positive().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

export const declareWorkers = { tag: 'workers', only: 'cloud', touches: ['control'] } as const;
export const runPath = z.object({ runId: z.string().min(1) });

export const workerRuns = {
  create: route({
    ...declareWorkers,
    id: 'create-worker-run',
    method: 'POST',
    path: '/v1/workers/runs',
    summary: 'Give a worker one task',
    permission: 'worker.run',
    bodyMax: bodyLimits.most / 10, // A task of 100,000 characters, which may take several bytes each.
    body: newRun,
    reply: one(dispatched),
    status: [202],
    errors: ['entitlement_required', 'workers_not_configured'],
  }),
  list: route({
    ...declareWorkers,
    id: 'list-worker-runs',
    method: 'GET',
    path: '/v1/workers/runs',
    summary: 'List worker runs, newest first',
    permission: 'worker.read',
    query: z.object({ ...paging, status: runStatus.optional() }),
    reply: many(workerRun),
    errors: [],
  }),
  get: route({
    ...declareWorkers,
    id: 'get-worker-run',
    method: 'GET',
    path: '/v1/workers/runs/:runId',
    summary: 'Read one worker run',
    permission: 'worker.read',
    params: runPath,
    reply: one(workerRun),
    errors: ['worker_run_not_found'],
  }),
};

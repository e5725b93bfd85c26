import { z } from 'zod';
import { bodyLimits } from '../core/body-limit.ts';
import { many, one } from '../core/envelope.ts';
import { paging, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { repositoryName } from '../projects/git-names.ts';

export const runStatus = z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']);

/** The URL of the live thread in the dashboard; every answer about workers has one. */
export const threadUrl = z.string().meta({ description: 'The live thread in the dashboard.' });

/** An agent's task. White space alone is valid: how to treat it is up to the agent. */
export const taskPrompt = text.min(1, 'must not be empty').max(100_000);

/** Maximum length of a text in a list, where a longer one is cut and ends in `…`. A single run has the whole text. */
export const briefTextChars = 10_000;

/** The commit on the work branch that holds the changes of a turn. Null when it changed nothing. */
const checkpoint = z
  .object({ commit_sha: z.string(), files: z.int(), insertions: z.int(), deletions: z.int() })
  .meta({ id: 'WorkerCheckpoint' });

export const workerRun = z
  .object({
    run_id: z.string(),
    environment_id: z.uuid().nullable(),
    turn_index: z.int(),
    status: runStatus,
    task_prompt: z.string().meta({ description: `Whole when a single run is read; cut after ${briefTextChars} characters in lists.` }),
    repo: z.string().nullable(),
    work_branch: z.string().nullable(),
    result: z.string().nullable().meta({ description: 'The final message of the agent; cut in lists like the task.' }),
    error: z.string().nullable(),
    cost_usd: z.number().nullable(),
    checkpoint: checkpoint.nullable(),
    cancel_requested_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    completed_at: z.iso.datetime().nullable(),
    url: threadUrl,
  })
  .meta({ id: 'WorkerRun', description: 'One task of a worker: on its own, or a turn in a worker environment.' });

export const dispatched = z.object({ run_id: z.string(), turn_index: z.int(), url: threadUrl }).meta({ id: 'DispatchedTurn' });

/** Passed to the agent's command, so it must not look like an option. */
const modelName = text.max(128).regex(/^[A-Za-z0-9][\w.:/@+-]*$/, 'must be the name of a model');
/** Only the hash of a commit, never a ref or an option. */
const commitName = text.max(64).regex(/^[0-9a-f]{7,64}$/, 'must be the hexadecimal hash of a commit');

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
    bodyMax: bodyLimits.maximum / 10, // A task of 100,000 characters, which may take several bytes each.
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

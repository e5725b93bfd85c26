import { z } from 'zod';
import { many, one } from './envelope.ts';
import { paging, text } from './parameters.ts';
import { route } from './route.ts';

const runStatus = z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']);

/** Leads to the live thread in the dashboard; every answer about workers has one. */
export const threadUrl = z.string().meta({ description: 'The live thread in the dashboard.' });

/** An agent's task. White space alone passes: the agent may know what to make of it (contract 20). */
export const taskPrompt = text.min(1, 'must not be empty').max(100_000);

export const workerRun = z
  .object({
    run_id: z.string(),
    environment_id: z.uuid().nullable(),
    turn_index: z.int(),
    status: runStatus,
    task_prompt: z.string(),
    work_branch: z.string().nullable(),
    result: z.string().nullable(),
    error: z.string().nullable(),
    cost_usd: z.number().nullable(),
    created_at: z.iso.datetime(),
    completed_at: z.iso.datetime().nullable(),
    url: threadUrl,
  })
  .meta({ id: 'WorkerRun', description: 'One task given to a worker: by itself, or as a turn in a worker environment.' });

export const dispatched = z.object({ run_id: z.string(), turn_index: z.int(), url: threadUrl }).meta({ id: 'DispatchedTurn' });

const newRun = z.object({
  task_prompt: taskPrompt,
  repo: text.max(255).optional(),
  base_commit: text.max(64).optional(),
  environment: text.optional(),
  model: text.max(128).optional(),
  max_cost_usd: z.number().positive().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

const declare = { tag: 'workers', only: 'cloud', unserved: true } as const;

export const workerRuns = {
  create: route({
    ...declare,
    id: 'create-worker-run',
    method: 'POST',
    path: '/v1/workers/runs',
    summary: 'Give a worker one task',
    permission: 'worker.run',
    body: newRun,
    reply: one(dispatched),
    status: [202],
    errors: ['entitlement_required'],
  }),
  list: route({
    ...declare,
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
    ...declare,
    id: 'get-worker-run',
    method: 'GET',
    path: '/v1/workers/runs/:runId',
    summary: 'Read one worker run',
    permission: 'worker.read',
    params: z.object({ runId: z.string().min(1) }),
    reply: one(workerRun),
    errors: ['worker_run_not_found'],
  }),
};

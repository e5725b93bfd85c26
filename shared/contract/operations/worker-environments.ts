import { z } from 'zod';
import { bodyLimits } from '../core/body-limit.ts';
import { many, nothing, one } from '../core/envelope.ts';
import { bounded, paging } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { branchName, repositoryName } from '../projects/git-names.ts';
import { declareWorkers, dispatched, taskPrompt, threadUrl, workerRun } from './worker-runs.ts';

/** A workspace that outlives its turns. Not to be confused with an environment for deployments. */
export const workerEnvironment = z
  .object({
    id: z.uuid(),
    name: z.string().nullable(),
    status: z.enum(['idle', 'busy', 'closed']),
    repo: z.string().nullable(),
    turn_count: z.int(),
    work_branch: z.string().nullable(),
    created_at: z.iso.datetime(),
    url: threadUrl,
  })
  .meta({ id: 'WorkerEnvironment' });

const newEnvironment = z.object({
  task_prompt: taskPrompt,
  name: bounded(1, 255).optional(),
  repo: repositoryName.optional(),
  branch: branchName.optional(),
});

const environmentPath = z.object({ envId: z.uuid() });

export const workerEnvironments = {
  create: route({
    ...declareWorkers,
    id: 'create-worker-environment',
    method: 'POST',
    path: '/v1/workers/environments',
    summary: 'Open a workspace with its first turn',
    permission: 'worker.run',
    bodyMax: bodyLimits.maximum / 10, // A task of 100,000 characters, which may take several bytes each.
    body: newEnvironment,
    reply: one(dispatched.extend({ environment_id: z.uuid() })),
    status: [202],
    errors: ['entitlement_required', 'workers_not_configured'],
  }),
  list: route({
    ...declareWorkers,
    id: 'list-worker-environments',
    method: 'GET',
    path: '/v1/workers/environments',
    summary: 'List workspaces, newest first',
    permission: 'worker.read',
    query: z.object(paging),
    reply: many(workerEnvironment),
    errors: [],
  }),
  get: route({
    ...declareWorkers,
    id: 'get-worker-environment',
    method: 'GET',
    path: '/v1/workers/environments/:envId',
    summary: 'Read one workspace',
    permission: 'worker.read',
    params: environmentPath,
    reply: one(workerEnvironment),
    errors: ['worker_environment_not_found'],
  }),
  close: route({
    ...declareWorkers,
    id: 'close-worker-environment',
    method: 'DELETE',
    path: '/v1/workers/environments/:envId',
    summary: 'Close a workspace',
    permission: 'worker.run',
    params: environmentPath,
    reply: nothing,
    status: [204],
    errors: ['worker_environment_not_found', 'environment_busy'],
  }),
  createTurn: route({
    ...declareWorkers,
    id: 'create-worker-turn',
    method: 'POST',
    path: '/v1/workers/environments/:envId/turns',
    summary: 'Give the workspace its next task',
    permission: 'worker.run',
    params: environmentPath,
    bodyMax: bodyLimits.maximum / 10, // A task of 100,000 characters, which may take several bytes each.
    body: z.object({ task_prompt: taskPrompt }),
    reply: one(dispatched),
    status: [202],
    errors: ['entitlement_required', 'worker_environment_not_found', 'environment_busy', 'workers_not_configured'],
  }),
  turns: route({
    ...declareWorkers,
    id: 'list-worker-turns',
    method: 'GET',
    path: '/v1/workers/environments/:envId/turns',
    summary: 'List the turns of a workspace, in order',
    permission: 'worker.read',
    params: environmentPath,
    query: z.object(paging),
    reply: many(workerRun),
    errors: ['worker_environment_not_found'],
  }),
};

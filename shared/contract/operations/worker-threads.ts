/** Additive: the content of a worker's live thread, and how to cancel a run. */
import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { limit, paging } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { declareWorkers, runPath, runStatus, threadUrl, workerRun } from './worker-runs.ts';

const line = z.object({ seq: z.int(), at: z.iso.datetime(), stream: z.enum(['stdout', 'stderr', 'gateway']), text: z.string() }).meta({
  id: 'WorkerOutputLine',
  description: 'A line that the agent printed; the gateway adds lines of its own where it left some out.',
});

const changedFile = z.object({
  path: z.string(),
  /** Null for a file that is not text. */
  insertions: z.int().nullable(),
  deletions: z.int().nullable(),
});

const changes = z
  .object({
    commit_sha: z.string().nullable(),
    files: z.array(changedFile),
    patch: z.string(),
    is_cut: z.boolean().meta({ description: 'The patch is cut; the commit has all of it.' }),
    url: threadUrl,
  })
  .meta({ id: 'WorkerChanges' });

export const workerThreads = {
  output: route({
    ...declareWorkers,
    id: 'list-worker-output',
    method: 'GET',
    path: '/v1/workers/runs/:runId/output',
    summary: 'Read the output of the agent, from where the last read ended',
    permission: 'worker.read',
    params: runPath,
    query: z.object({
      after: paging.offset.meta({ description: '`next` of the previous answer; 0 for the beginning.' }),
      limit: limit(500, 1000),
    }),
    reply: one(z.object({ status: runStatus, lines: z.array(line), next: z.int(), url: threadUrl })),
    errors: ['worker_run_not_found'],
  }),
  changes: route({
    ...declareWorkers,
    id: 'get-worker-changes',
    method: 'GET',
    path: '/v1/workers/runs/:runId/changes',
    summary: 'Read what a run changed in the workspace',
    permission: 'worker.read',
    params: runPath,
    reply: one(changes),
    errors: ['worker_run_not_found'],
  }),
  cancel: route({
    ...declareWorkers,
    id: 'cancel-worker-run',
    method: 'POST',
    path: '/v1/workers/runs/:runId/cancel',
    summary: 'Cancel a run',
    permission: 'worker.run',
    params: runPath,
    reply: one(workerRun),
    status: [202],
    errors: ['worker_run_not_found', 'run_already_terminal'],
  }),
};

/** What the dashboard shows of eval runs besides the public reads: lists, and the results by task. Additive, for teams. */
import { z } from 'zod';
import { many, one } from '../core/envelope.ts';
import { limit, offset, paging } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { evalRun, runPath, storedEscalation, trial } from '../evaluation/evals.ts';

const trialCounts = z
  .object({ passed: z.int(), failed: z.int(), error: z.int(), total: z.int() })
  .meta({ id: 'EvalTally', description: 'The number of trials by status.' });

const dashboardFields = {
  name: z.string().nullable(),
  experiment_key: z.string().nullable(),
  created_by: z.string(),
  trials: trialCounts,
  tasks: z.int().meta({ description: 'The number of tasks that the trials belong to.' }),
  escalations: z.int(),
  key_expires_at: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When the key of the run expires; null once it has ended with the run.' }),
};

const listedRun = evalRun.omit({ card: true }).extend(dashboardFields).meta({ id: 'ListedEvalRun' });
const runDetail = evalRun
  .extend({ ...dashboardFields, metadata: z.record(z.string(), z.unknown()).nullable() })
  .meta({ id: 'ShownEvalRun' });

const task = z
  .object({
    task_id: z.string(),
    trials: trialCounts,
    average_score: z.number().nullable(),
    cost_usd: z.number().nullable(),
    duration_ms: z.number().nullable().meta({ description: 'Average of the trials.' }),
  })
  .meta({ id: 'EvalTask', description: 'The trials of one task, together.' });

/** Short pages, because trials and escalations can be large. */
const shortPaging = { limit: limit(50, 100), offset };
const declare = { method: 'GET', tag: 'viewer', only: 'cloud', permission: 'eval.read', touches: ['control'] } as const;

export const viewerEvals = {
  runs: route({
    ...declare,
    id: 'viewer-list-eval-runs',
    path: '/v1/viewer/eval-runs',
    summary: 'List eval runs, newest first',
    query: z.object({ ...paging, status: evalRun.shape.status.optional() }),
    reply: many(listedRun),
    errors: [],
  }),
  run: route({
    ...declare,
    id: 'viewer-eval-run',
    path: '/v1/viewer/eval-runs/:runId',
    summary: 'Read one eval run with its results',
    runKeyAccess: 'own',
    params: runPath,
    reply: one(runDetail),
    errors: ['eval_run_not_found'],
  }),
  tasks: route({
    ...declare,
    id: 'viewer-list-eval-tasks',
    path: '/v1/viewer/eval-runs/:runId/tasks',
    summary: 'List the tasks of an eval run, those that fail most often first',
    runKeyAccess: 'own',
    params: runPath,
    query: z.object(paging),
    reply: many(task),
    errors: ['eval_run_not_found'],
  }),
  trials: route({
    ...declare,
    id: 'viewer-list-eval-trials',
    path: '/v1/viewer/eval-runs/:runId/trials',
    summary: 'List the trials of an eval run by task',
    runKeyAccess: 'own',
    params: runPath,
    query: z.object({ ...shortPaging, status: trial.shape.status.optional() }),
    reply: many(trial),
    errors: ['eval_run_not_found'],
  }),
  escalations: route({
    ...declare,
    id: 'viewer-list-eval-escalations',
    path: '/v1/viewer/eval-runs/:runId/escalations',
    summary: 'List the escalations of a run, newest first',
    runKeyAccess: 'own',
    params: runPath,
    query: z.object(shortPaging),
    reply: many(storedEscalation),
    errors: ['eval_run_not_found'],
  }),
};

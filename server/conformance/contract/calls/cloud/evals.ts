/** Eval runs, their trials and escalations. */
import type { Trigger } from '../../trigger.ts';
import { missing } from './records.ts';

const noRun = 'eval_run_not_found';
const run = '/v1/evals/runs/{runId}' as const;
const shown = '/v1/viewer/eval-runs/{runId}' as const;
const params = { runId: '{evalRunId}' };
const ended = { params: { runId: '{endedEvalRunId}' }, status: 409, code: 'run_already_terminal' } as const;

const report = { call: `POST ${run}/status`, params, body: { costUsd: 1 } } as const;
const add = { call: `POST ${run}/trials`, params, body: { trials: [{ task_id: 'b', status: 'failed' }] } } as const;
const reads = [`GET ${run}`, `GET ${shown}`, `GET ${shown}/tasks`, `GET ${shown}/trials`, `GET ${shown}/escalations`] as const;

export const evals: Trigger[] = [
  { call: 'POST /v1/evals/escalations', body: { attempts: 3, task_ids: ['a'] }, status: 201 },
  { call: 'POST /v1/evals/runs', body: { name: 'sample' }, status: 201 },
  { ...report, status: 200 },
  { ...report, ...ended },
  missing(report, 'runId', noRun),
  { ...add, status: 201 },
  { ...add, ...ended },
  missing(add, 'runId', noRun),
  { call: 'GET /v1/viewer/eval-runs', status: 200 },
  ...reads.flatMap((call): Trigger[] => [{ call, params, status: 200 }, missing({ call, params }, 'runId', noRun)]),
];

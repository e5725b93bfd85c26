/** Experiments run by an eval worker, and the worker. */
import type { Trigger } from '../../trigger.ts';
import { missing, withFailingWorker, withWorker, withWorkerFullControl } from './records.ts';

const start = { call: 'POST /v1/experiments', body: { dataset: 'rows' } } as const;
const startedParams = { params: { experimentId: '{startedId}' } } as const;
const run = { call: 'GET /v1/experiments/{experimentId}/run', ...startedParams } as const;
const cancel = { call: 'POST /v1/experiments/{experimentId}/cancel', ...startedParams } as const;
const evals = { call: 'GET /v1/viewer/worker/evals' } as const;
const noExperiment = 'experiment_not_found';
const notConnected = { status: 503, code: 'worker_not_connected' } as const;

export const experimentRuns: Trigger[] = [
  { call: 'GET /v1/viewer/worker', status: 200 },
  { ...evals, ...notConnected },
  { ...evals, at: withWorker, status: 200 },
  { ...evals, at: withFailingWorker, status: 502, code: 'worker_job_failed' },
  { ...start, ...notConnected },
  { ...start, at: withWorker, status: 202 },
  { ...start, at: withWorkerFullControl, status: 503, code: 'storage_full' },
  { ...start, body: { dataset: 'nowhere' }, status: 404, code: 'dataset_not_found' },
  { ...start, body: { dataset: 'rows', prompt: 'nowhere.prompt.mdx' }, status: 404, code: 'template_not_found' },
  { ...start, body: { dataset: 'rows', prompt: 'open.prompt.mdx' }, status: 400, code: 'template_parse_error' },
  { ...run, at: withWorker, status: 200 },
  missing(run, 'experimentId', noExperiment),
  { ...cancel, at: withWorkerFullControl, status: 503, code: 'storage_full' },
  { ...cancel, at: withWorker, status: 200 },
  { ...cancel, at: withWorker, status: 409, code: 'run_already_terminal' },
  missing(cancel, 'experimentId', noExperiment),
];

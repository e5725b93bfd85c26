/** Coding agents: their environments, turns and runs. */
import { minimal, type Trigger } from '../../trigger.ts';
import { deleted, missing, smallPlan } from './records.ts';

const task = { task_prompt: 'look around' };
const one = '/v1/workers/environments/{envId}' as const;
const run = '/v1/workers/runs/{runId}' as const;
const createRun = { call: 'POST /v1/workers/runs', body: task } as const;
const open = { call: 'POST /v1/workers/environments', body: task } as const;
const createTurn = { call: `POST ${one}/turns`, body: task } as const;
const close = `DELETE ${one}` as const;
const cancel = { call: `POST ${run}/cancel` } as const;
const ofEnvironment = [{ call: `GET ${one}` } as const, { call: `GET ${one}/turns` } as const];
const ofRun = [{ call: `GET ${run}` } as const, { call: `GET ${run}/output` } as const, { call: `GET ${run}/changes` } as const];
const lists = [{ call: 'GET /v1/workers/runs' } as const, { call: 'GET /v1/workers/environments' } as const];
/** Its turn never ends. */
const inBusy = { params: { envId: '{busyEnvId}' }, status: 409, code: 'environment_busy' } as const;

export const workers: Trigger[] = [
  ...[createRun, open, createTurn].map((each): Trigger => ({ ...each, at: smallPlan, status: 402, code: 'entitlement_required' })),
  ...[createRun, open, createTurn].map((each): Trigger => ({ ...each, at: minimal, status: 503, code: 'workers_not_configured' })),
  ...[createRun, open, createTurn].map((each): Trigger => ({ ...each, status: 202 })),
  ...[...lists, ...ofEnvironment, ...ofRun].map((each): Trigger => ({ ...each, status: 200 })),
  { ...createTurn, ...inBusy },
  { call: close, ...inBusy },
  ...[...ofEnvironment, createTurn].map((each) => missing(each, 'envId', 'worker_environment_not_found')),
  ...deleted(close, { envId: '{deletableEnvId}' }, 'worker_environment_not_found'),
  ...[...ofRun, cancel].map((each) => missing(each, 'runId', 'worker_run_not_found')),
  { ...cancel, params: { runId: '{openRunId}' }, status: 202 },
  { ...cancel, status: 409, code: 'run_already_terminal' },
];

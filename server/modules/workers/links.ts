/** Where the dashboard shows a thread, live: every answer about workers says it (spec, Worker turn). */
import type { WorkerEnvironment, WorkerRun } from '../../control/worker-store.ts';

export const environmentUrl = (baseUrl: string, environmentId: string): string => `${baseUrl}/#/workers/${environmentId}`;

export const runUrl = (baseUrl: string, { run_id, environment_id }: Pick<WorkerRun, 'run_id' | 'environment_id'>): string =>
  environment_id === null ? `${baseUrl}/#/workers/runs/${run_id}` : environmentUrl(baseUrl, environment_id);

export const withUrl = (baseUrl: string, run: WorkerRun) => ({ ...run, url: runUrl(baseUrl, run) });

export const environmentWithUrl = (baseUrl: string, environment: WorkerEnvironment) => ({
  ...environment,
  url: environmentUrl(baseUrl, environment.id),
});

/** What one gets for a task that was taken. */
export const asDispatched = (baseUrl: string, run: WorkerRun) => ({
  run_id: run.run_id,
  turn_index: run.turn_index,
  url: runUrl(baseUrl, run),
});

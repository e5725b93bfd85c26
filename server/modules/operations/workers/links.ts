/** Dashboard page of a run, in every answer about agent runs. */
import type { Context } from '../../../app/module.ts';
import type { AgentRun, AgentWorkspace } from '../../../control/agent-run-store.ts';

/** Request, for its base URL. */
type Asked = Pick<Context, 'baseUrl' | 'scope'>;

const page = ({ baseUrl, scope }: Asked, path: string): string => `${baseUrl}/#/workers/${path}?app=${scope.app_id}`;

export const runUrl = (asked: Asked, { run_id, environment_id }: Pick<AgentRun, 'run_id' | 'environment_id'>): string =>
  page(asked, environment_id ?? `runs/${run_id}`);

export const withUrl = (asked: Asked, run: AgentRun) => ({ ...run, url: runUrl(asked, run) });

export const environmentWithUrl = (asked: Asked, environment: AgentWorkspace) => ({ ...environment, url: page(asked, environment.id) });

/** Answer to an accepted task. */
export const asDispatched = (asked: Asked, run: AgentRun) => ({
  run_id: run.run_id,
  turn_index: run.turn_index,
  url: runUrl(asked, run),
});

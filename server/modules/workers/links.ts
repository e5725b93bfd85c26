/** Where the dashboard shows a thread, live: every answer about workers says it. */
import type { Context } from '../../app/module.ts';
import type { AgentRun, AgentWorkspace } from '../../control/agent-run-store.ts';

/** A request, for what leads back to where it came to. */
type Asked = Pick<Context, 'baseUrl' | 'scope'>;

const page = ({ baseUrl, scope }: Asked, path: string): string => `${baseUrl}/#/workers/${path}?app=${scope.app_id}`;

export const runUrl = (asked: Asked, { run_id, environment_id }: Pick<AgentRun, 'run_id' | 'environment_id'>): string =>
  page(asked, environment_id ?? `runs/${run_id}`);

export const withUrl = (asked: Asked, run: AgentRun) => ({ ...run, url: runUrl(asked, run) });

export const environmentWithUrl = (asked: Asked, environment: AgentWorkspace) => ({ ...environment, url: page(asked, environment.id) });

/** What one gets for a task that was taken. */
export const asDispatched = (asked: Asked, run: AgentRun) => ({
  run_id: run.run_id,
  turn_index: run.turn_index,
  url: runUrl(asked, run),
});

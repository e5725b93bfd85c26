/** Dashboard page of a run, in every answer about agent runs. */
import type { Context } from '../../../app/module.ts';
import type { AgentRun, AgentWorkspace } from '../../../control/agent-run-store.ts';

/** Context of the request, for its base URL. */
type LinkContext = Pick<Context, 'baseUrl' | 'scope'>;

const page = ({ baseUrl, scope }: LinkContext, path: string): string => `${baseUrl}/#/workers/${path}?app=${scope.app_id}`;

export const runUrl = (context: LinkContext, { run_id, environment_id }: Pick<AgentRun, 'run_id' | 'environment_id'>): string =>
  page(context, environment_id ?? `runs/${run_id}`);

export const withUrl = (context: LinkContext, run: AgentRun) => ({ ...run, url: runUrl(context, run) });

export const environmentWithUrl = (context: LinkContext, environment: AgentWorkspace) => ({
  ...environment,
  url: page(context, environment.id),
});

/** Answer to an accepted task. */
export const asDispatched = (context: LinkContext, run: AgentRun) => ({
  run_id: run.run_id,
  turn_index: run.turn_index,
  url: runUrl(context, run),
});

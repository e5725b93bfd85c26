import { fail } from '../../../app/fail.ts';
import { Answer, asPage, defineModule } from '../../../app/module.ts';
import type { EnvironmentStore } from '../../../control/environment-store.ts';
import { must } from '../../../platform/assert.ts';
import type { Scope } from '../../../platform/scope.ts';
import { atOnceMax, linkedRepo, mustRunAgents, orRefused, usable } from './admission.ts';
import { asDispatched, withUrl } from './links.ts';

export const workerRunsModule = defineModule({
  group: 'workerRuns',
  needs: ['control', 'plans', 'agentRunDispatcher'],
  isAnnounced: ({ agentRunDispatcher }) => agentRunDispatcher.isConfigured,
  build: ({ control: { agentRuns, environments, git }, plans, agentRunDispatcher }) => ({
    create: async (asked, { body }) => {
      const { scope, principal } = asked;
      const most = await atOnceMax(plans, scope);
      const { task_prompt, base_commit: base = null, model = null, max_cost_usd = null, metadata = null } = body;
      const environment_id = await environmentOf(environments, scope, body.environment);
      mustRunAgents(agentRunDispatcher);
      const repo = body.repo ?? (await linkedRepo(agentRunDispatcher, scope, await git.findLink(scope)));
      await usable(agentRunDispatcher, { scope, repo, base }, 'base_commit');
      const draft = { task_prompt, repo, base, model, max_cost_usd, metadata, environment_id };
      const run = await orRefused(() => agentRuns.createRun(principal.actor, scope, draft, most));
      agentRunDispatcher.wake();
      return new Answer(202, { data: asDispatched(asked, run) });
    },

    list: async (asked, { query }) => {
      const { scope } = asked;
      const { data, total } = await agentRuns.listRuns(scope, query);
      return asPage(query, { data: data.map((run) => withUrl(asked, run)), total });
    },

    get: async (asked, { params: { runId } }) => {
      const { scope } = asked;
      const found = await agentRuns.findRun(scope, runId);
      return { data: withUrl(asked, found ?? fail('worker_run_not_found', `There is no worker run ${runId}`)) };
    },
  }),
});

/** Whose traces the agent's will be. */
async function environmentOf(environments: EnvironmentStore, scope: Scope, name: string | undefined): Promise<string> {
  if (name === undefined) return must(await environments.findDefault(scope), 'every app has one').id;
  const named = await environments.findNamed(scope, name);
  if (named) return named.id;
  fail('invalid_request_body', 'Invalid request body', {
    details: { environment: 'is not an environment of this app' },
    field: 'environment',
  });
}

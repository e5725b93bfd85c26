import { fail } from '../../../app/fail.ts';
import { Answer, asPage, defineModule } from '../../../app/module.ts';
import type { EnvironmentStore } from '../../../control/environment-store.ts';
import { must } from '../../../platform/assert.ts';
import type { Scope } from '../../../platform/scope.ts';
import { activeRunsMax, assertAgentsConfigured, assertUsable, linkedRepo, translateRefusals } from './admission.ts';
import { asDispatched, withUrl } from './links.ts';

export const workerRunsModule = defineModule({
  group: 'workerRuns',
  needs: ['control', 'plans', 'agentRunDispatcher'],
  isAnnounced: ({ agentRunDispatcher }) => agentRunDispatcher.isConfigured,
  build: ({ control: { agentRuns, environments, git }, plans, agentRunDispatcher }) => ({
    create: async (context, { body }) => {
      const { scope, principal } = context;
      const runsMax = await activeRunsMax(plans, scope);
      const { task_prompt, base_commit: base = null, model = null, max_cost_usd = null, metadata = null } = body;
      const environment_id = await environmentOf(environments, scope, body.environment);
      assertAgentsConfigured(agentRunDispatcher);
      const repo = body.repo ?? (await linkedRepo(agentRunDispatcher, scope, await git.findLink(scope)));
      await assertUsable(agentRunDispatcher, { scope, repo, base }, 'base_commit');
      const draft = { task_prompt, repo, base, model, max_cost_usd, metadata, environment_id };
      const run = await translateRefusals(() => agentRuns.createRun(principal.actor, scope, draft, runsMax));
      agentRunDispatcher.wake();
      return new Answer(202, { data: asDispatched(context, run) });
    },

    list: async (context, { query }) => {
      const { scope } = context;
      const { data, total } = await agentRuns.listRuns(scope, query);
      return asPage(query, { data: data.map((run) => withUrl(context, run)), total });
    },

    get: async (context, { params: { runId } }) => {
      const { scope } = context;
      const found = await agentRuns.findRun(scope, runId);
      return { data: withUrl(context, found ?? fail('worker_run_not_found', `There is no worker run ${runId}`)) };
    },
  }),
});

/** Environment of the agent's traces. */
async function environmentOf(environments: EnvironmentStore, scope: Scope, name: string | undefined): Promise<string> {
  if (name === undefined) return must(await environments.findDefault(scope), 'every app has one').id;
  const environment = await environments.findNamed(scope, name);
  if (environment) return environment.id;
  fail('invalid_request_body', 'Invalid request body', {
    details: { environment: 'is not an environment of this app' },
    field: 'environment',
  });
}

import { fail } from '../../../app/fail.ts';
import { Answer, asPage, defineModule } from '../../../app/module.ts';
import { must } from '../../../platform/assert.ts';
import { activeRunsMax, assertAgentsConfigured, assertUsable, linkedRepo, translateRefusals } from './admission.ts';
import { asDispatched, environmentWithUrl, withUrl } from './links.ts';

export const workerEnvironmentsModule = defineModule({
  group: 'workerEnvironments',
  needs: ['control', 'plans', 'agentRunDispatcher'],
  build: ({ control: { agentRuns, environments, git }, plans, agentRunDispatcher }) => ({
    create: async (context, { body: { task_prompt, name = null, ...body } }) => {
      const { scope, principal } = context;
      const runsMax = await activeRunsMax(plans, scope);
      assertAgentsConfigured(agentRunDispatcher);
      const link = await git.findLink(scope);
      const repo = body.repo ?? (await linkedRepo(agentRunDispatcher, scope, link));
      const branch = body.branch ?? (repo !== null && repo === link?.repository ? link.branch : null);
      const base = branch === null ? null : `refs/heads/${branch}`;
      await assertUsable(agentRunDispatcher, { scope, repo, base }, 'branch');
      const environment_id = must(await environments.findDefault(scope), 'every app has one').id;
      const draft = { task_prompt, name, repo, base, environment_id };
      const run = await translateRefusals(() => agentRuns.open(principal.actor, scope, draft, runsMax));
      agentRunDispatcher.wake();
      const workspaceId = must(run.environment_id, 'the first turn is in it');
      return new Answer(202, { data: { environment_id: workspaceId, ...asDispatched(context, run) } });
    },

    list: async (context, { query }) => {
      const { scope } = context;
      const { data, total } = await agentRuns.listEnvironments(scope, query);
      return asPage(query, { data: data.map((environment) => environmentWithUrl(context, environment)), total });
    },

    get: async (context, { params: { envId } }) => {
      const { scope } = context;
      const found = await agentRuns.findEnvironment(scope, envId.toLowerCase());
      return { data: environmentWithUrl(context, found ?? missing(envId)) };
    },

    close: async ({ scope, principal }, { params: { envId } }) => {
      const id = envId.toLowerCase();
      const { repo, work_branch } = (await agentRuns.findEnvironment(scope, id)) ?? missing(envId);
      if (!(await translateRefusals(() => agentRuns.close(principal.actor, scope, id)))) missing(envId);
      const branch = must(work_branch, 'every one has a branch');
      await agentRunDispatcher.forget({ scope, workspace_id: id, repo, base: null, work_branch: branch });
      return new Answer(204, undefined);
    },

    createTurn: async (context, { params: { envId }, body: { task_prompt } }) => {
      const { scope, principal } = context;
      const runsMax = await activeRunsMax(plans, scope);
      const id = envId.toLowerCase();
      if (!(await agentRuns.findEnvironment(scope, id))) missing(envId);
      assertAgentsConfigured(agentRunDispatcher);
      const turn = await translateRefusals(() => agentRuns.createTurn(principal.actor, scope, id, task_prompt, runsMax));
      agentRunDispatcher.wake();
      return new Answer(202, { data: asDispatched(context, turn ?? missing(envId)) });
    },

    turns: async (context, { params: { envId }, query }) => {
      const { scope } = context;
      const { data, total } = (await agentRuns.turns(scope, envId.toLowerCase(), query)) ?? missing(envId);
      return asPage(query, { data: data.map((run) => withUrl(context, run)), total });
    },
  }),
});

const missing = (envId: string): never => fail('worker_environment_not_found', `There is no open worker environment ${envId}`);

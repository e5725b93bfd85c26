import { fail } from '../../../app/fail.ts';
import { Answer, asPage, defineModule } from '../../../app/module.ts';
import { must } from '../../../platform/assert.ts';
import { atOnceMax, linkedRepo, mustRunAgents, orRefused, usable } from './admission.ts';
import { asDispatched, environmentWithUrl, withUrl } from './links.ts';

export const workerEnvironmentsModule = defineModule({
  group: 'workerEnvironments',
  needs: ['control', 'plans', 'agentRunDispatcher'],
  build: ({ control: { agentRuns, environments, git }, plans, agentRunDispatcher }) => ({
    create: async (asked, { body: { task_prompt, name = null, ...body } }) => {
      const { scope, principal } = asked;
      const most = await atOnceMax(plans, scope);
      mustRunAgents(agentRunDispatcher);
      const link = await git.findLink(scope);
      const repo = body.repo ?? (await linkedRepo(agentRunDispatcher, scope, link));
      const branch = body.branch ?? (repo !== null && repo === link?.repository ? link.branch : null);
      const base = branch === null ? null : `refs/heads/${branch}`;
      await usable(agentRunDispatcher, { scope, repo, base }, 'branch');
      const environment_id = must(await environments.findDefault(scope), 'every app has one').id;
      const draft = { task_prompt, name, repo, base, environment_id };
      const run = await orRefused(() => agentRuns.open(principal.actor, scope, draft, most));
      agentRunDispatcher.wake();
      const opened = must(run.environment_id, 'the first turn is in it');
      return new Answer(202, { data: { environment_id: opened, ...asDispatched(asked, run) } });
    },

    list: async (asked, { query }) => {
      const { scope } = asked;
      const { data, total } = await agentRuns.listEnvironments(scope, query);
      return asPage(query, { data: data.map((each) => environmentWithUrl(asked, each)), total });
    },

    get: async (asked, { params: { envId } }) => {
      const { scope } = asked;
      const found = await agentRuns.findEnvironment(scope, envId.toLowerCase());
      return { data: environmentWithUrl(asked, found ?? missing(envId)) };
    },

    close: async ({ scope, principal }, { params: { envId } }) => {
      const id = envId.toLowerCase();
      const { repo, work_branch } = (await agentRuns.findEnvironment(scope, id)) ?? missing(envId);
      if (!(await orRefused(() => agentRuns.close(principal.actor, scope, id)))) missing(envId);
      const branch = must(work_branch, 'every one has a branch');
      await agentRunDispatcher.forget({ scope, workspace_id: id, repo, base: null, work_branch: branch });
      return new Answer(204, undefined);
    },

    createTurn: async (asked, { params: { envId }, body: { task_prompt } }) => {
      const { scope, principal } = asked;
      const most = await atOnceMax(plans, scope);
      const id = envId.toLowerCase();
      if (!(await agentRuns.findEnvironment(scope, id))) missing(envId);
      mustRunAgents(agentRunDispatcher);
      const turn = await orRefused(() => agentRuns.createTurn(principal.actor, scope, id, task_prompt, most));
      agentRunDispatcher.wake();
      return new Answer(202, { data: asDispatched(asked, turn ?? missing(envId)) });
    },

    turns: async (asked, { params: { envId }, query }) => {
      const { scope } = asked;
      const { data, total } = (await agentRuns.turns(scope, envId.toLowerCase(), query)) ?? missing(envId);
      return asPage(query, { data: data.map((run) => withUrl(asked, run)), total });
    },
  }),
});

const missing = (envId: string): never => fail('worker_environment_not_found', `There is no open worker environment ${envId}`);

import { fail } from '../../../app/fail.ts';
import { Answer, defineModule } from '../../../app/module.ts';
import { type AgentRun, type AgentRunStore, RunEnded } from '../../../control/agent-run-store.ts';
import type { Scope } from '../../../platform/scope.ts';
import { runUrl, withUrl } from './links.ts';

export const workerThreadsModule = defineModule({
  group: 'workerThreads',
  needs: ['control', 'agentRunDispatcher'],
  build: ({ control: { agentRuns }, agentRunDispatcher }) => ({
    output: async (context, { params: { runId }, query }) => {
      const { scope } = context;
      const run = await findOrFail(agentRuns, scope, runId);
      const output = await agentRuns.output(scope, runId, query);
      return { data: { ...(output ?? missing(runId)), url: runUrl(context, run) } };
    },

    changes: async (context, { params: { runId } }) => {
      const { scope } = context;
      const run = await findOrFail(agentRuns, scope, runId);
      return { data: { ...((await agentRuns.changes(scope, runId)) ?? missing(runId)), url: runUrl(context, run) } };
    },

    cancel: async (context, { params: { runId } }) => {
      const { scope, principal } = context;
      const run = await translateRunOver(() => agentRuns.cancel(principal.actor, scope, runId));
      agentRunDispatcher.cancel(runId);
      return new Answer(202, { data: withUrl(context, run ?? missing(runId)) });
    },
  }),
});

const missing = (runId: string): never => fail('worker_run_not_found', `There is no worker run ${runId}`);

const findOrFail = async (agentRuns: AgentRunStore, scope: Scope, runId: string): Promise<AgentRun> =>
  (await agentRuns.findRun(scope, runId)) ?? missing(runId);

async function translateRunOver<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RunEnded) fail('run_already_terminal', error.message);
    throw error;
  }
}

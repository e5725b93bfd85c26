import { fail } from '../../app/fail.ts';
import { Answer, defineModule } from '../../app/module.ts';
import { RunOver, type WorkerRun, type WorkerStore } from '../../control/worker-store.ts';
import type { Scope } from '../../platform/scope.ts';
import { runUrl, withUrl } from './links.ts';

export const workerThreadsModule = defineModule({
  group: 'workerThreads',
  needs: ['control', 'workerDispatcher'],
  build: ({ control: { workers }, workerDispatcher }) => ({
    output: async (asked, { params: { runId }, query }) => {
      const { scope } = asked;
      const run = await found(workers, scope, runId);
      const output = await workers.output(scope, runId, query);
      return { data: { ...(output ?? missing(runId)), url: runUrl(asked, run) } };
    },

    changes: async (asked, { params: { runId } }) => {
      const { scope } = asked;
      const run = await found(workers, scope, runId);
      return { data: { ...((await workers.changes(scope, runId)) ?? missing(runId)), url: runUrl(asked, run) } };
    },

    cancel: async (asked, { params: { runId } }) => {
      const { scope, principal } = asked;
      const run = await orOver(() => workers.cancel(principal.actor, scope, runId));
      workerDispatcher.cancel(runId);
      return new Answer(202, { data: withUrl(asked, run ?? missing(runId)) });
    },
  }),
});

const missing = (runId: string): never => fail('worker_run_not_found', `There is no worker run ${runId}`);

const found = async (workers: WorkerStore, scope: Scope, runId: string): Promise<WorkerRun> =>
  (await workers.findRun(scope, runId)) ?? missing(runId);

async function orOver<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RunOver) fail('run_already_terminal', error.message);
    throw error;
  }
}

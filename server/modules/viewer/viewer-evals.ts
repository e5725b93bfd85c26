import { fail } from '../../app/fail.ts';
import { asPage, defineModule } from '../../app/module.ts';
import type { EvalRunStore } from '../../control/eval-run-store.ts';
import type { Scope } from '../../platform/scope.ts';

export const viewerEvalsModule = defineModule({
  group: 'viewerEvals',
  needs: ['control'],
  build: ({ control: { evalRuns, evalTrials, escalations } }) => ({
    runs: async ({ scope }, { query }) => asPage(query, await evalRuns.list(scope, query)),

    run: async ({ scope }, { params: { runId } }) => ({ data: (await evalRuns.show(scope, runId)) ?? missing(runId) }),

    tasks: async ({ scope }, { params: { runId }, query }) => {
      await assertRun(evalRuns, scope, runId);
      return asPage(query, await evalTrials.tasks(scope, runId, query));
    },

    trials: async ({ scope }, { params: { runId }, query }) => {
      await assertRun(evalRuns, scope, runId);
      return asPage(query, await evalTrials.list(scope, runId, query));
    },

    escalations: async ({ scope }, { params: { runId }, query }) => {
      await assertRun(evalRuns, scope, runId);
      return asPage(query, await escalations.list(scope, runId, query));
    },
  }),
});

async function assertRun(runs: EvalRunStore, scope: Scope, id: string): Promise<void> {
  if (!(await runs.find(scope, id))) missing(id);
}

const missing = (id: string): never => fail('eval_run_not_found', `There is no eval run ${id}`);

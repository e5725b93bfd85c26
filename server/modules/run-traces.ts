import { defineModule } from '../app/module.ts';
import { asPage } from '../app/page.ts';

/** Needs the local mark: the cloud never served this route. */
export const runTracesModule = defineModule({
  group: 'runTraces',
  needs: ['telemetry', 'onOneMachine'],
  build: ({ telemetry }) => ({
    list: async ({ scope }, { params, query }) =>
      asPage(
        query,
        await telemetry.traces.list(scope, { ...query, dataset_run_id: params.runId, sort_by: 'start_time', sort_order: 'desc' }),
      ),
  }),
});

import { fail } from '../app/fail.ts';
import { defineModule } from '../app/module.ts';
import { asPage } from '../app/page.ts';

export const experimentsModule = defineModule({
  group: 'experiments',
  needs: ['telemetry'],
  build: ({ telemetry }) => ({
    list: async ({ scope }, { query }) => asPage(query, await telemetry.experiments.list(scope, query)),

    baseline: async ({ scope }, { query }) => ({ data: await telemetry.experiments.baseline(scope, query) }),

    get: async ({ scope }, { params: { experimentId } }) => {
      const found = await telemetry.experiments.find(scope, experimentId);
      return { data: found ?? fail('experiment_not_found', `No experiment ${experimentId}`) };
    },
  }),
});

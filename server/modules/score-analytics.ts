import { defineModule } from '../app/module.ts';

export const scoreAnalyticsModule = defineModule({
  group: 'scoreAnalytics',
  needs: ['metrics'],
  build: ({ metrics }) => ({
    aggregate: async ({ scope }, { query }) => ({ data: await metrics.scores(scope, query) }),
  }),
});

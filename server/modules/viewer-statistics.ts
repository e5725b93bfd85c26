import { defineModule } from '../app/module.ts';

export const viewerStatisticsModule = defineModule({
  group: 'viewerStatistics',
  needs: ['telemetry'],
  build: ({ telemetry }) => ({
    activity: async ({ scope }, { query }) => ({ data: await telemetry.statistics.activity(scope, query) }),
    scores: async ({ scope }, { query }) => ({ data: await telemetry.statistics.scores(scope, query) }),
  }),
});

import { defineModule } from '../../app/module.ts';

export const metricsModule = defineModule({
  group: 'metrics',
  needs: ['metrics'],
  build: ({ metrics }) => ({
    get: async ({ scope }, { query: { start_date, end_date, extended } }) => ({
      data: await metrics.requests(scope, { from: Date.parse(start_date), to: Date.parse(end_date) }, extended),
    }),
  }),
});

export const viewerStatisticsModule = defineModule({
  group: 'viewerStatistics',
  needs: ['telemetry'],
  build: ({ telemetry }) => ({
    activity: async ({ scope }, { query }) => ({ data: await telemetry.statistics.activity(scope, query) }),
    scores: async ({ scope }, { query }) => ({ data: await telemetry.statistics.scores(scope, query) }),
  }),
});

import { defineModule } from '../app/module.ts';

/** Needs the local mark: the cloud counts in another store, under routes of its own. */
export const viewerStatisticsModule = defineModule({
  group: 'viewerStatistics',
  needs: ['telemetry', 'onOneMachine'],
  build: ({ telemetry }) => ({
    activity: async ({ scope }, { query }) => ({ data: await telemetry.statistics.activity(scope, query) }),
    scores: async ({ scope }, { query }) => ({ data: await telemetry.statistics.scores(scope, query) }),
    storage: async ({ scope }) => ({ data: await telemetry.statistics.storage(scope) }),
  }),
});

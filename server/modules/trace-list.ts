import { defineModule } from '../app/module.ts';

export const traceListModule = defineModule({
  group: 'traceList',
  needs: ['telemetry'],
  build: ({ telemetry }) => ({
    rows: async ({ scope }, { query }) => ({ data: await telemetry.traceList.list(scope, query) }),
    overTime: async ({ scope }, { query }) => ({ data: await telemetry.traceList.overTime(scope, query) }),
    facets: async ({ scope }, { query }) => ({ data: await telemetry.traceList.facets(scope, query) }),
    values: async ({ scope }, { query }) => ({ data: await telemetry.traceList.values(scope, query) }),
  }),
});

import { fail } from '../../app/fail.ts';
import { defineModule } from '../../app/module.ts';

export const comparisonsModule = defineModule({
  group: 'comparisons',
  needs: ['telemetry'],
  build: ({ telemetry }) => ({
    find: async ({ scope }, { query }) => {
      const found = await telemetry.comparisons.find(scope, query);
      return { data: found ?? fail('trace_not_found', `No trace ${query.a}, or no trace ${query.b}`) };
    },
  }),
});

export const groupComparisonsModule = defineModule({
  group: 'groupComparisons',
  needs: ['telemetry'],
  build: ({ telemetry }) => ({
    find: async ({ scope }, { query }) => ({ data: await telemetry.comparisons.groups(scope, query) }),
  }),
});

export const seenBeforeModule = defineModule({
  group: 'seenBefore',
  needs: ['telemetry'],
  build: ({ telemetry }) => ({
    find: async ({ scope }, { params }) => {
      const found = await telemetry.comparisons.seenBefore(scope, params.traceId);
      return { data: found ?? fail('trace_not_found', `No trace ${params.traceId}`) };
    },
  }),
});

import { fail } from '../app/fail.ts';
import { defineModule } from '../app/module.ts';
import { asPage } from '../app/page.ts';

export const tracesModule = defineModule({
  group: 'traces',
  needs: ['telemetry'],
  build: ({ telemetry }) => ({
    list: async ({ scope }, { query }) => asPage(query, await telemetry.traces.list(scope, query)),

    get: async ({ scope }, { params, query: { fields } }) => {
      const found = await telemetry.traces.find(scope, params.traceId, { graph: fields.has('graph'), scores: fields.has('scores') });
      return { data: found ?? fail('trace_not_found', `No trace ${params.traceId}`) };
    },

    graph: async ({ scope }, { params }) => ({ data: await telemetry.traces.graph(scope, params.traceId) }),
  }),
});

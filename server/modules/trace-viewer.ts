import { fail } from '../app/fail.ts';
import { defineModule } from '../app/module.ts';

export const traceViewerModule = defineModule({
  group: 'traceViewer',
  needs: ['telemetry'],
  build: ({ telemetry }) => ({
    outline: async ({ scope }, { params }) => {
      const found = await telemetry.traces.outline(scope, params.traceId);
      return { data: found ?? fail('trace_not_found', `No trace ${params.traceId}`) };
    },

    previews: async ({ scope }, { params, query }) => ({ data: await telemetry.spans.previews(scope, params.traceId, query.ids) }),

    find: async ({ scope }, { params, query }) => ({ data: await telemetry.spans.find(scope, params.traceId, query.q, query.after) }),
  }),
});

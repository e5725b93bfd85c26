import { fail } from '../../app/fail.ts';
import { asPage, defineModule } from '../../app/module.ts';

export const spansModule = defineModule({
  group: 'spans',
  needs: ['telemetry'],
  build: ({ telemetry }) => ({
    list: async ({ scope }, { query }) => asPage(query, await telemetry.spans.list(scope, query)),

    ofTrace: async ({ scope }, { params }) => ({ data: await telemetry.spans.ofTrace(scope, params.traceId) }),

    io: async ({ scope }, { params }) => {
      const found = await telemetry.spans.io(scope, params.traceId, params.spanId);
      return { data: found ?? fail('span_not_found', `No span ${params.spanId} in trace ${params.traceId}`) };
    },
  }),
});

export const spanByIdModule = defineModule({
  group: 'spanById',
  needs: ['search'],
  build: ({ search }) => ({
    get: async ({ scope }, { params: { spanId } }) => ({
      data: (await search.span(scope, spanId)) ?? fail('span_not_found', `No span ${spanId}`),
    }),
  }),
});

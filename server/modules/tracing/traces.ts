import { fail } from '../../app/fail.ts';
import { asPage, defineModule } from '../../app/module.ts';

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

/** Needs `onOneMachine`, because the cloud never served this route. */
export const runTracesModule = defineModule({
  group: 'runTraces',
  needs: ['telemetry', 'onOneMachine'],
  build: ({ telemetry }) => ({
    list: async ({ scope }, { params, query }) =>
      asPage(
        query,
        await telemetry.traces.list(scope, { ...query, dataset_run_id: params.runId, sort_by: 'start_time', sort_order: 'desc' }),
      ),
  }),
});

/** @param given the cursors of the request */
function failForCursor(given: Record<string, string | undefined>): never {
  const names = Object.keys(given).filter((name) => given[name] !== undefined);
  fail('invalid_query_params', 'A cursor does not come from an earlier answer of this gateway: begin without it', {
    details: Object.fromEntries(names.map((name) => [name, 'must be a cursor from an earlier answer'])),
  });
}

export const traceListModule = defineModule({
  group: 'traceList',
  needs: ['telemetry'],
  build: ({ telemetry }) => ({
    rows: async ({ scope }, { query }) => {
      const { arrived, arrived_after } = query;
      return { data: (await telemetry.traceList.list(scope, query)) ?? failForCursor({ arrived, arrived_after }) };
    },
    overTime: async ({ scope }, { query }) => ({ data: await telemetry.traceList.overTime(scope, query) }),
    facets: async ({ scope }, { query }) => ({ data: await telemetry.traceList.facets(scope, query) }),
    matches: async ({ scope }, { query }) => ({ data: await telemetry.traceList.matches(scope, query) }),
    values: async ({ scope }, { query }) => ({ data: await telemetry.traceList.values(scope, query) }),
  }),
});

export const errorGroupsModule = defineModule({
  group: 'errorGroups',
  needs: ['telemetry'],
  build: ({ telemetry }) => ({
    list: async ({ scope }, { query }) => ({ data: await telemetry.errorGroups.list(scope, query) }),
  }),
});

export const contextWindowsModule = defineModule({
  group: 'contextWindows',
  needs: ['telemetry'],
  build: ({ telemetry }) => ({
    find: async ({ scope }, { params }) => {
      const found = await telemetry.contexts.find(scope, params.traceId);
      return { data: found ?? fail('trace_not_found', `No trace ${params.traceId}`) };
    },
  }),
});

export const traceViewerModule = defineModule({
  group: 'traceViewer',
  needs: ['telemetry'],
  build: ({ telemetry }) => ({
    outline: async ({ scope }, { params }) => {
      const found = await telemetry.traces.outline(scope, params.traceId);
      return { data: found ?? fail('trace_not_found', `No trace ${params.traceId}`) };
    },

    previews: async ({ scope }, { params, query }) => ({ data: await telemetry.spans.previews(scope, params.traceId, query.ids) }),

    find: async ({ scope }, { params, query: { q, after } }) => ({
      data: (await telemetry.spans.find(scope, params.traceId, q, after ?? null)) ?? failForCursor({ after }),
    }),
  }),
});

export const sessionsModule = defineModule({
  group: 'sessions',
  needs: ['telemetry'],
  build: ({ telemetry }) => ({
    list: async ({ scope }, { query }) => asPage(query, await telemetry.sessions.list(scope, query)),

    traces: async ({ scope }, { params }) => ({ data: await telemetry.sessions.traces(scope, params.sessionId) }),
  }),
});

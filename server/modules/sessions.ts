import { defineModule } from '../app/module.ts';
import { asPage } from '../app/page.ts';

export const sessionsModule = defineModule({
  group: 'sessions',
  needs: ['telemetry'],
  build: ({ telemetry }) => ({
    list: async ({ scope }, { query }) => asPage(query, await telemetry.sessions.list(scope, query)),

    traces: async ({ scope }, { params }) => ({ data: await telemetry.sessions.traces(scope, params.sessionId) }),
  }),
});

import { Answer, defineModule } from '../../app/module.ts';

/** Coding agents read traces by the Model Context Protocol, with the permissions of their key. */
export const mcpModule = defineModule({
  group: 'mcp',
  needs: ['telemetry', 'clock'],
  build: ({ clock }) => ({
    call: async ({ request, baseUrl, client }, { query, body }) => {
      // Few gateways are asked, so the protocol is loaded with the first request.
      const { answerMcp } = await import('../../mcp/answer-http.ts');
      const context = () => ({ client: client(), viewerUrl: baseUrl, now: clock.now() });
      const { status, headers, bytes } = await answerMcp(request, `${baseUrl}/mcp`, body, { withWrites: query.writes === 'on', context });
      return new Answer(status, status === 202 ? undefined : bytes, headers);
    },
  }),
});

import { Answer, defineModule } from '../../app/module.ts';
import { McpClients } from '../../mcp/mcp-clients.ts';

/** Coding agents read traces by the Model Context Protocol, with the permissions of their key. */
export const mcpModule = defineModule({
  group: 'mcp',
  needs: ['telemetry', 'clock'],
  build: ({ clock }) => {
    const clients = new McpClients();
    return {
      call: async ({ request, baseUrl, scope, client }, { query, body }) => {
        clients.note(scope, body, request.headers['user-agent'] ?? '', clock.now());
        // Few gateways are asked, so the protocol is loaded with the first request.
        const { answerMcp } = await import('../../mcp/answer-http.ts');
        const context = () => ({ client: client(), viewerUrl: baseUrl, now: clock.now() });
        const { status, headers, bytes } = await answerMcp(request, `${baseUrl}/mcp`, body, { withWrites: query.writes === 'on', context });
        return new Answer(status, status === 202 ? undefined : bytes, headers);
      },
      clients: ({ scope }) => ({ data: clients.list(scope) }),
    };
  },
});

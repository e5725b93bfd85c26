import { hiddenKinds, noRedaction } from '../../../shared/contract/operations/redaction.ts';
import { fail } from '../../app/fail.ts';
import { Answer, defineModule } from '../../app/module.ts';
import type { Redaction } from '../../forwarding/redaction.ts';
import type { TokenKey } from '../../forwarding/token-key.ts';
import { McpClients } from '../../mcp/mcp-clients.ts';
import type { Hide } from '../../reports/hidden-text.ts';

/** Coding agents read traces by the Model Context Protocol, with the permissions of their key. */
export const mcpModule = defineModule({
  group: 'mcp',
  needs: ['telemetry', 'clock'],
  wants: ['redaction', 'tokenKey'],
  build: ({ clock, redaction, tokenKey }) => {
    const clients = new McpClients();
    const hide = redaction && tokenKey ? hiding(redaction, tokenKey) : null;
    return {
      call: async ({ request, baseUrl, scope, client }, { query, body }) => {
        clients.note(scope, body, request.headers['user-agent'] ?? '', clock.now());
        // Few gateways are asked, so the protocol is loaded with the first request.
        const { answerMcp } = await import('../../mcp/answer-http.ts');
        const context = () => ({ client: client(), viewerUrl: baseUrl, now: clock.now() });
        if (query.redact === 'on' && hide === null) fail('invalid_query_params', 'This gateway has no redaction: leave out redact=on');
        const options = { withWrites: query.writes === 'on', context, hide: query.redact === 'on' ? hide : null };
        const { status, headers, bytes } = await answerMcp(request, `${baseUrl}/mcp`, body, options);
        return new Answer(status, status === 202 ? undefined : bytes, headers);
      },
      clients: ({ scope }) => ({ data: clients.list(scope) }),
    };
  },
});

/** Hides every kind of secret and personal data that forwarding can hide, with the same tokens. */
const hiding =
  (redaction: Redaction, tokenKey: TokenKey): Hide =>
  async (texts) =>
    redaction.texts(texts, { policy: { ...noRedaction, hide: [...hiddenKinds] }, token_key: await tokenKey.get() });

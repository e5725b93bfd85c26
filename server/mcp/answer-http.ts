/** Answers one HTTP request of the Model Context Protocol, without sessions: every revision since 2025 that needs none. */
import type { IncomingMessage } from 'node:http';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createMcpServer, type McpOptions } from './mcp-server.ts';

interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  bytes: Uint8Array<ArrayBuffer>;
}

const json = 'application/json; charset=utf-8';

/** Long-lived streams have nothing to say here: the list of tools never changes while a gateway runs. */
const streamMethod = 'subscriptions/listen';

/** @param body parsed */
export async function answerMcp({ headers }: IncomingMessage, url: string, body: unknown, options: McpOptions): Promise<HttpAnswer> {
  if (isStream(body)) return rejected(body.id ?? null);
  const handler = createMcpHandler(() => createMcpServer(options), { maxSubscriptions: 1 });
  try {
    const request = new Request(url, { method: 'POST', headers: plainHeaders(headers) });
    const response = await handler.fetch(request, { parsedBody: body });
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { status: response.status, headers: kept(response.headers), bytes };
  } finally {
    await handler.close();
  }
}

const isStream = (body: unknown): body is { id?: unknown } =>
  typeof body === 'object' && body !== null && 'method' in body && body.method === streamMethod;

function rejected(id: unknown): HttpAnswer {
  const error = { code: -32601, message: `${streamMethod} is not offered: nothing here changes while the gateway runs` };
  return {
    status: 200,
    headers: { 'Content-Type': json },
    bytes: new Uint8Array(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error }))),
  };
}

/** Without what describes the body, which is read already. */
function plainHeaders(headers: IncomingMessage['headers']): Headers {
  const plain = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string' || /^(?:content-length|content-encoding|transfer-encoding|connection|host|expect)$/.test(name)) continue;
    plain.set(name, value);
  }
  return plain;
}

/** JSON has the content type of all answers of the gateway. */
function kept(headers: Headers): Record<string, string> {
  const type = headers.get('content-type');
  const ofProtocol = [...headers].filter(([name]) => name.startsWith('mcp-'));
  return { ...Object.fromEntries(ofProtocol), ...(type === null ? {} : { 'Content-Type': type === 'application/json' ? json : type }) };
}

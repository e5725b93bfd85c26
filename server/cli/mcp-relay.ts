/** Passes messages of the Model Context Protocol between stdio and a gateway that wants a key. */
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** Longer than the gateway takes for any tool. */
const timeoutMs = 120_000;
const versionKey = 'io.modelcontextprotocol/protocolVersion';

interface Request {
  id?: string | number;
  method?: string;
  params?: { name?: string; _meta?: Record<string, unknown> };
}

/** Runs until stdin is closed. @param url of `/mcp` */
export async function relayStdio(url: URL, key: string): Promise<void> {
  const transport = new StdioServerTransport();
  const closed = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  transport.onmessage = async (message) => {
    const replies = await repliesTo(message, url, key);
    // A client that has gone needs no answer.
    for (const reply of replies) await transport.send(reply).catch(() => undefined);
  };
  await transport.start();
  await closed;
}

async function repliesTo(message: JSONRPCMessage, url: URL, key: string): Promise<JSONRPCMessage[]> {
  const { id } = message as Request;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headersOf(message as Request), Authorization: `Bearer ${key}` },
      body: JSON.stringify(message),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    });
    const text = await response.text();
    if (response.headers.get('content-type')?.startsWith('text/event-stream'))
      return [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data) as JSONRPCMessage);
    if (text === '') return [];
    const body = JSON.parse(text) as Record<string, unknown>;
    return 'jsonrpc' in body ? [body as unknown as JSONRPCMessage] : failure(id, messageOf(body) ?? `HTTP ${response.status}`);
  } catch (error) {
    const { message: why, cause } = error as Error & { cause?: Error };
    return failure(id, `The gateway cannot be reached: ${cause?.message ?? why}`);
  }
}

/** The headers that repeat what a message says, as HTTP clients of the protocol send them. */
function headersOf({ method, params }: Request): Record<string, string> {
  const version = params?._meta?.[versionKey];
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  if (typeof version !== 'string' || method === undefined) return headers;
  return { ...headers, 'MCP-Protocol-Version': version, 'Mcp-Method': method, ...(params?.name ? { 'Mcp-Name': params.name } : {}) };
}

const messageOf = (body: Record<string, unknown>): string | undefined => (body['error'] as { message?: string } | undefined)?.message;

const internalError = -32_603;

/** A notification has no id and gets no answer. */
const failure = (id: string | number | undefined, message: string): JSONRPCMessage[] =>
  id === undefined ? [] : [{ jsonrpc: '2.0', id, error: { code: internalError, message } }];

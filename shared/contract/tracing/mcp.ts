/** The Model Context Protocol, for coding agents. Its messages are JSON-RPC, so they are not in the API document (docs/reference/mcp.md). */
import { z } from 'zod';
import { all, json } from '../core/envelope.ts';
import { route } from '../core/route.ts';

const onOrOff = z.enum(['on', 'off']).default('off');

/** A client that has connected since the gateway was started. */
const mcpClient = z
  .object({
    name: z.string().meta({ description: 'As the client calls itself.' }),
    version: z.string().meta({ description: '`` when it sends none.' }),
    first_seen_at: z.iso.datetime(),
    last_seen_at: z.iso.datetime(),
    call_count: z.int().meta({ description: 'Tools that it has called.' }),
    last_tool: z.string().nullable().meta({ description: 'The tool that it called last.' }),
  })
  .meta({ id: 'McpClient' });
export type McpClient = z.output<typeof mcpClient>;

export const mcp = {
  call: route({
    id: 'mcp',
    method: 'POST',
    path: '/mcp',
    summary: 'List the tools for coding agents, or call one',
    tag: 'agents',
    permission: 'trace.read',
    app: 'key',
    wire: 'bytes',
    query: z.object({ writes: onOrOff, redact: onOrOff }),
    body: json,
    reply: z.unknown(),
    status: [200, 202],
    errors: [],
    undocumented: true,
    isOnlyMethod: true,
  }),
  clients: route({
    id: 'viewer-mcp-clients',
    method: 'GET',
    path: '/v1/viewer/mcp-clients',
    summary: 'List the programs that have connected to `/mcp` of this gateway, the latest first',
    tag: 'viewer',
    permission: 'trace.read',
    reply: all(mcpClient),
    errors: [],
  }),
};

/** The Model Context Protocol, for coding agents. Its messages are JSON-RPC, so they are not in the API document (docs/reference/mcp.md). */
import { z } from 'zod';
import { json } from '../core/envelope.ts';
import { route } from '../core/route.ts';

export const mcp = {
  call: route({
    id: 'mcp',
    method: 'POST',
    path: '/mcp',
    summary: 'List the tools for coding agents, or call one',
    tag: 'agents',
    permission: 'trace.read',
    wire: 'bytes',
    query: z.object({ writes: z.enum(['on', 'off']).default('off') }),
    body: json,
    reply: z.unknown(),
    status: [200, 202],
    errors: [],
    undocumented: true,
    isOnlyMethod: true,
  }),
};

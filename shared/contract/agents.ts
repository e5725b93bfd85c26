import { z } from 'zod';
import { json, many, one } from './envelope.ts';
import { sha256 } from './media.ts';
import { bounded, dateTime, paging, text } from './parameters.ts';
import { route } from './route.ts';

const count = z.int().min(0);

const agentEvent = z
  .object({
    seq: count,
    type: z.enum(['user', 'assistant', 'tool_call', 'tool_result', 'system']),
    timestamp: dateTime,
    text: text.optional(),
    tool_name: text.optional(),
    tool_call_id: text.optional(),
    input: json.optional(),
    output: json.optional(),
    input_tokens: count.optional(),
    output_tokens: count.optional(),
    cost_usd: z.number().optional(),
    images: z.array(z.object({ sha256 })).optional(),
  })
  .meta({ id: 'AgentEvent', description: 'One step of a coding agent. The first record of a number wins.' });

const blob = z
  .object({ sha256, media_type: text.min(1), data: z.base64() })
  .meta({ id: 'AgentBlob', description: 'At most 5 MB decoded.' });

const about = {
  session_id: text.min(1).max(255),
  agent: text.min(1).max(64),
  title: bounded(0, 500).optional(),
  repo: text.optional(),
  branch: text.optional(),
  commit_sha: text.optional(),
  model: text.optional(),
  user_id: text.optional(),
  started_at: dateTime,
  ended_at: dateTime.optional(),
  metadata: z.record(z.string(), z.string()).optional(),
};

const sessionPart = z.object({
  ...about,
  events: z.array(agentEvent).max(1000, 'must not be longer than 1000'),
  blobs: z.array(blob).max(20, 'must not be longer than 20').optional(),
});

const agentUrl = z.string();

export const agentSession = z
  .object({
    ...about,
    title: z.string().optional(),
    trace_id: z.string(),
    event_count: z.int(),
    created_at: z.iso.datetime(),
    url: agentUrl,
  })
  .meta({ id: 'AgentSession', description: 'A session of a coding agent. Its events are spans of one trace as well.' });

const declare = { tag: 'agents', only: 'cloud', unserved: true } as const;

export const agents = {
  ingest: route({
    ...declare,
    id: 'ingest-agent-session',
    method: 'POST',
    path: '/v1/agents/sessions',
    summary: 'Store a session of a coding agent, or more of one',
    permission: 'agent.write',
    body: sessionPart,
    reply: one(z.object({ session_id: z.string(), trace_id: z.string(), events_added: z.int(), blobs_added: z.int(), url: agentUrl })),
    status: [201, 200],
    errors: [],
  }),
  list: route({
    ...declare,
    id: 'list-agent-sessions',
    method: 'GET',
    path: '/v1/agents/sessions',
    summary: 'List sessions of coding agents, newest first',
    permission: 'agent.read',
    query: z.object(paging),
    reply: many(agentSession),
    errors: [],
  }),
  get: route({
    ...declare,
    id: 'get-agent-session',
    method: 'GET',
    path: '/v1/agents/sessions/:sessionId',
    summary: 'Read one session of a coding agent with its events',
    permission: 'agent.read',
    params: z.object({ sessionId: z.string().min(1) }),
    reply: one(agentSession.extend({ events: z.array(agentEvent) })),
    errors: ['agent_session_not_found'],
  }),
  blob: route({
    ...declare,
    id: 'get-agent-blob',
    method: 'GET',
    path: '/v1/agents/blob/:sha256',
    summary: 'Read an image of a session',
    permission: 'agent.read',
    params: z.object({ sha256 }),
    reply: z.string().meta({ format: 'binary' }),
    errors: ['blob_not_found'],
    wire: 'bytes',
    cache: 'private, max-age=31536000, immutable',
  }),
};

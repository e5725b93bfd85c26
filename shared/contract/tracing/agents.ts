import { z } from 'zod';
import { bodyLimits } from '../core/body-limit.ts';
import { json, many, one } from '../core/envelope.ts';
import { bounded, dateTime, paging, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { sha256 } from './media.ts';

const count = z.int().min(0);
const blobBytesMax = 5 * 1024 * 1024;
const metadataCharsMax = 16 * 1024;

export const agentEvent = z
  .object({
    seq: count,
    type: z.enum(['user', 'assistant', 'tool_call', 'tool_result', 'system']),
    timestamp: dateTime,
    text: text.optional(),
    tool_name: text.max(1000).optional(),
    tool_call_id: text.max(1000).optional(),
    input: json.optional(),
    output: json.optional(),
    input_tokens: count.optional(),
    output_tokens: count.optional(),
    cost_usd: z.number().min(0).optional(),
    images: z.array(z.object({ sha256 })).max(100).optional(),
  })
  .meta({ id: 'AgentEvent', description: 'One step of a coding agent. The first event with a `seq` wins.' });

const mediaType = z
  .string()
  .max(255)
  .regex(/^[\w.+-]+\/[\w.+-]+(?:; ?[\w.-]+=[\w.+-]+)*$/, 'must be a media type, such as image/png');

/** Base64 of no more bytes than a blob may have. Its characters are checked when it is decoded. */
const base64 = z.string().max(Math.ceil(blobBytesMax / 3) * 4, 'must not be larger than 5 MB');

const blob = z.object({ sha256, media_type: mediaType, data: base64 }).meta({ id: 'AgentBlob', description: 'At most 5 MB decoded.' });

export const sessionFields = z.object({
  session_id: text.min(1).max(255),
  agent: text.min(1).max(64),
  title: bounded(0, 500).optional(),
  repo: text.max(1000).optional(),
  branch: text.max(1000).optional(),
  commit_sha: text.max(255).optional(),
  model: text.max(255).optional(),
  user_id: text.max(255).optional(),
  started_at: dateTime,
  ended_at: dateTime.optional(),
  metadata: z
    .record(z.string(), z.string())
    .refine((value) => JSON.stringify(value).length <= metadataCharsMax, 'must not be larger than 16 KiB as JSON')
    .optional(),
});

/** Unknown fields are allowed: the answer names them. */
const sentEvent = z
  .looseObject(agentEvent.shape)
  .meta({ id: 'SentAgentEvent', description: 'An event as it is sent. Unknown fields are dropped, and named in the answer.' });

const sessionPart = z.looseObject({
  ...sessionFields.shape,
  events: z.array(sentEvent).max(1000, 'must not be longer than 1000'),
  blobs: z.array(blob).max(20, 'must not be longer than 20').optional(),
});
export type SentAgentSession = z.output<typeof sessionPart>;

const warnings = z.array(z.string()).optional().meta({
  description: 'Unknown fields of the session or of its events, which were dropped. Absent when there were none. Additive.',
});

const agentUrl = z.string();

export const agentSession = z
  .object({
    ...sessionFields.shape,
    title: z.string().optional(),
    trace_id: z.string(),
    event_count: z.int(),
    created_at: z.iso.datetime(),
    url: agentUrl,
  })
  .meta({ id: 'AgentSession', description: 'A session of a coding agent. Its events are spans of one trace as well.' });

const declare = { tag: 'agents', only: 'cloud', touches: ['control'] } as const;

export const agents = {
  ingest: route({
    ...declare,
    id: 'ingest-agent-session',
    method: 'POST',
    path: '/v1/agents/sessions',
    summary: 'Store a session of a coding agent, or add to one',
    permission: 'agent.write',
    bodyMax: bodyLimits.maximum, // A thousand events with the outputs of tools, and pictures in base64.
    body: sessionPart,
    reply: one(
      z.object({ session_id: z.string(), trace_id: z.string(), events_added: z.int(), blobs_added: z.int(), url: agentUrl, warnings }),
    ),
    status: [201, 200],
    touches: ['control', 'telemetry'],
    errors: ['span_limit_exceeded', 'storage_cap_exceeded'],
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
    status: [200, 304],
    errors: ['blob_not_found'],
    wire: 'bytes',
    cache: 'private, max-age=31536000, immutable',
  }),
};

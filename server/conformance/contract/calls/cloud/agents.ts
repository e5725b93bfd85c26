/** Sessions of coding agents, and their blobs. */
import type { Trigger } from '../../trigger.ts';
import { capped, missing, smallPlan } from './records.ts';

const at = '2026-01-15T10:00:00Z';
const part = { session_id: 'sample', agent: 'claude_code', started_at: at, events: [{ seq: 0, type: 'user', timestamp: at, text: 'Hi' }] };
const post = { call: 'POST /v1/agents/sessions' } as const;
const blob = { call: 'GET /v1/agents/blob/{sha256}', params: { sha256: '{blobSha256}' } } as const;
const session = { call: 'GET /v1/agents/sessions/{sessionId}', params: { sessionId: '{agentSessionId}' } } as const;

export const agents: Trigger[] = [
  { ...post, body: part, status: 201 },
  { ...post, body: { ...part, ended_at: at }, status: 200 },
  { ...post, at: smallPlan, body: part, status: 429, code: 'span_limit_exceeded' },
  { ...post, at: capped, body: part, status: 429, code: 'storage_cap_exceeded' },
  { call: 'GET /v1/agents/sessions', status: 200 },
  { ...session, status: 200 },
  missing(session, 'sessionId', 'agent_session_not_found'),
  { ...blob, status: 200, type: 'image/png' },
  { ...blob, headers: { 'if-none-match': '*' }, status: 304, type: '' },
  { ...blob, params: { sha256: '0'.repeat(64) }, status: 404, code: 'blob_not_found' },
];

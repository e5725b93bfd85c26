import { fullLog, onDamaged, type Trigger } from '../trigger.ts';

const create = 'POST /v1/trace-deletions';
const storageFull = { at: fullLog, status: 503, code: 'storage_full' } as const;

export const traceDeletions: Trigger[] = [
  { call: create, body: { user_id: '{deletableUser}', dry_run: true }, status: 200 },
  { call: create, body: { user_id: '{deletableUser}' }, status: 200 },
  { call: create, body: {}, status: 400, code: 'invalid_request_body' },
  { call: create, body: { filter: 'cost >' }, status: 400, code: 'invalid_filter' },
  { call: 'GET /v1/trace-deletions/{deletionId}', status: 200 },
  { call: 'GET /v1/trace-deletions/{deletionId}', params: { deletionId: 'missing' }, status: 404, code: 'trace_deletion_not_found' },
  { call: 'DELETE /v1/traces/{traceId}', params: { traceId: '{deletableTraceId}' }, status: 200 },
  { call: 'DELETE /v1/traces/{traceId}', params: { traceId: 'missing' }, status: 404, code: 'trace_not_found' },
  { call: 'DELETE /v1/sessions/{sessionId}', params: { sessionId: '{deletableSessionId}' }, status: 200 },
  { call: 'DELETE /v1/sessions/{sessionId}', params: { sessionId: 'missing' }, status: 404, code: 'session_not_found' },
  { call: create, body: { all: true }, ...storageFull },
  { call: 'DELETE /v1/traces/{traceId}', ...storageFull },
  { call: 'DELETE /v1/sessions/{sessionId}', ...storageFull },
  ...onDamaged(
    { call: create, body: { all: true }, status: 503 },
    'GET /v1/trace-deletions/{deletionId}',
    'DELETE /v1/traces/{traceId}',
    'DELETE /v1/sessions/{sessionId}',
  ),
];

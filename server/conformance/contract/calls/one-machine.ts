/** Operations of local gateways only. */
import { type Call, fullLog, onDamaged, type Trigger } from '../trigger.ts';

const runs: Call = 'GET /v1/runs/{runId}/traces';
const storage: Call = 'GET /v1/viewer/storage';
const older: Trigger = { call: 'GET /v1/viewer/storage/older', query: '?days=30', status: 200 };
const keep: Trigger = { call: 'PUT /v1/viewer/storage/retention', body: { keep_days: 3650, max_bytes: null }, status: 200 };
const compact: Trigger = { call: 'POST /v1/viewer/storage/compact', status: 202 };
const cancel: Trigger = { call: 'DELETE /v1/viewer/storage/compact', status: 200 };
const policy = { drop: { inputs: true, outputs: false, keys: [] }, hide: ['email'], only: { environments: [], tags: [] } };
const preview: Trigger = { call: 'POST /v1/viewer/forwarding/preview', body: { policy, trace_id: '{traceId}' }, status: 200 };
const token = 'GET /v1/viewer/forwarding-tokens/{token}' as const;
const pointed: Trigger = {
  call: 'POST /v1/viewer/windows/pointers',
  body: { trace_id: '{traceId}', span_id: null, note: 'It begins here' },
  status: 200,
};
const shown: Trigger = {
  call: 'PUT /v1/viewer/windows/{windowId}',
  params: { windowId: 'w1' },
  body: { page: '/traces', trace_id: null, span_id: null, selection: '' },
  status: 200,
};
const history: Call = 'GET /v1/viewer/agent-history';
const showHistory: Trigger = { call: 'PUT /v1/viewer/agent-history', body: { agents: ['codex'], is_shown: false }, status: 200 };
const spending: Call = 'GET /v1/viewer/spending';
const judged: Trigger = { call: 'GET /v1/viewer/budgets', query: '?period=week&max=20', status: 200 };
const keepBudgets: Trigger = {
  call: 'PUT /v1/viewer/budgets',
  body: { budgets: [{ period: 'day', max: 20, folder: null }] },
  status: 200,
};
const full = { at: fullLog, status: 503, code: 'storage_full' };

export const oneMachine: Trigger[] = [
  { call: runs, status: 200 },
  { call: storage, status: 200 },
  older,
  { ...older, query: '?days=0', status: 400, code: 'invalid_query_params' },
  keep,
  { ...keep, body: { keep_days: 0, max_bytes: null }, status: 400, code: 'invalid_request_body' },
  compact,
  cancel,
  preview,
  { ...preview, body: { policy }, status: 200 },
  { ...preview, body: { policy, trace_id: 'missing' }, status: 404, code: 'trace_not_found' },
  { ...preview, body: { policy: { ...policy, hide: ['everything'] } }, status: 400, code: 'invalid_request_body' },
  { call: token, status: 200 },
  { call: token, params: { token: '‹email-missing›' }, status: 404, code: 'not_found' },
  { call: 'GET /v1/viewer/windows', status: 200 },
  {
    call: 'GET /v1/viewer/windows/{windowId}/pointers',
    params: { windowId: 'w1' },
    meanwhile: pointed,
    status: 200,
    type: 'text/event-stream',
  },
  pointed,
  shown,
  { call: history, status: 200 },
  showHistory,
  { ...showHistory, body: { agents: ['aider'], is_shown: true }, status: 400, code: 'invalid_request_body' },
  { call: spending, status: 200 },
  { call: spending, query: '?time_zone=Europe/Atlantis', status: 400, code: 'invalid_query_params' },
  judged,
  { ...judged, query: '?max=20', status: 400, code: 'invalid_query_params' },
  keepBudgets,
  { ...keepBudgets, body: { budgets: [{ period: 'month', max: 20, folder: null }] }, status: 400, code: 'invalid_request_body' },
  { ...keep, ...full },
  ...onDamaged(runs, storage, older, keep, compact, cancel, preview, token, spending, judged, keepBudgets),
];

import { fullLog, onDamaged, type Trigger } from '../trigger.ts';

const list = { call: 'GET /v1/viewer/runaways', query: 'trace_ids={traceId}' } as const;
const thresholds = 'GET /v1/viewer/runaway-thresholds';
const setThreshold = 'PUT /v1/viewer/runaway-thresholds';
const stop = { call: 'POST /v1/viewer/runs/{runId}/stop', params: { runId: 'run-of-a-program' } } as const;
const rule = { service: '', rule: 'loop' } as const;

export const runaways: Trigger[] = [
  { ...list, status: 200 },
  { ...list, query: 'running=perhaps', status: 400, code: 'invalid_query_params' },
  { call: thresholds, status: 200 },
  { call: setThreshold, body: { ...rule, threshold: 8 }, status: 200 },
  { call: setThreshold, body: { ...rule, threshold: 0 }, status: 400, code: 'invalid_request_body' },
  { call: setThreshold, body: { ...rule, service: 'no such service', threshold: null }, status: 404, code: 'service_not_found' },
  { ...stop, status: 202 },
  { call: setThreshold, body: { ...rule, threshold: null }, at: fullLog, status: 503, code: 'storage_full' },
  ...onDamaged({ ...list, status: 503 }, thresholds, { call: setThreshold, body: { ...rule, threshold: null }, status: 503 }),
];

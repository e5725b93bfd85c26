import { onDamaged, type Trigger } from '../trigger.ts';

export const traces: Trigger[] = [
  { call: 'GET /v1/traces', query: 'limit=1&tag=a&tag=b&filter=cost%20%3E%200', status: 200 },
  { call: 'GET /v1/traces', status: 200 },
  { call: 'GET /v1/traces', query: 'filter=', status: 400, code: 'invalid_filter' },
  { call: 'GET /v1/traces/{traceId}', query: 'fields=graph,scores', status: 200 },
  { call: 'GET /v1/traces/{traceId}', params: { traceId: 'missing' }, status: 404, code: 'trace_not_found' },
  { call: 'GET /v1/traces/{traceId}/graph', status: 200 },
  ...onDamaged('GET /v1/traces', 'GET /v1/traces/{traceId}', 'GET /v1/traces/{traceId}/graph'),
];

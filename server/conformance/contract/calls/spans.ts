import { onDamaged, type Trigger } from '../trigger.ts';

export const spans: Trigger[] = [
  { call: 'GET /v1/spans', query: 'trace_id={traceId}', status: 200 },
  { call: 'GET /v1/spans', status: 200 },
  { call: 'GET /v1/spans', query: 'filter=colour%20%3D%20red', status: 400, code: 'invalid_filter' },
  { call: 'GET /v1/traces/{traceId}/spans', status: 200 },
  { call: 'GET /v1/traces/{traceId}/spans/{spanId}', status: 200 },
  { call: 'GET /v1/traces/{traceId}/spans/{spanId}', params: { spanId: 'missing' }, status: 404, code: 'span_not_found' },
  { call: 'GET /v1/filter-schema', status: 200 },
  ...onDamaged('GET /v1/spans', 'GET /v1/traces/{traceId}/spans', 'GET /v1/traces/{traceId}/spans/{spanId}'),
];

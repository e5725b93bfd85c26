import type { Trigger } from '../trigger.ts';

export const platform: Trigger[] = [
  { call: 'GET /health', status: 200 },
  { call: 'GET /v1/capabilities', status: 200 },
  { call: 'GET /v1/openapi.json', status: 200 },
  { call: 'GET /v1/openapi.json', query: 'all=1', headers: { 'if-none-match': '*' }, status: 304, type: '' },
  { call: 'GET /v1/openapi.json', query: 'all=yes', status: 400, code: 'invalid_query_params' },
  { call: 'GET /llms.txt', status: 200, type: 'text/plain' },
  { call: 'GET /v1/pricing', status: 200 },
];

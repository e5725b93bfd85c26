import type { Provocation } from '../provocation.ts';

export const platform: Provocation[] = [
  { call: 'GET /health', status: 200 },
  { call: 'GET /v1/capabilities', status: 200 },
  { call: 'GET /v1/openapi.json', status: 200 },
  { call: 'GET /v1/pricing', status: 200 },
];

import { onDamaged, type Trigger } from '../trigger.ts';

export const sessions: Trigger[] = [
  { call: 'GET /v1/sessions', query: 'sort_by=total_cost&search=a', status: 200 },
  { call: 'GET /v1/sessions', status: 200 },
  { call: 'GET /v1/sessions/{sessionId}/traces', status: 200 },
  ...onDamaged('GET /v1/sessions', 'GET /v1/sessions/{sessionId}/traces'),
];

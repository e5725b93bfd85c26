import { onDamaged, type Trigger } from '../trigger.ts';

const baseline = { call: 'GET /v1/experiments/baseline', query: 'experiment_key=eval&tree_hash=abc' } as const;

export const experiments: Trigger[] = [
  { call: 'GET /v1/experiments', status: 200 },
  { ...baseline, status: 200 },
  { ...baseline, query: 'experiment_key=eval', status: 400, code: 'invalid_query_params' },
  { call: 'GET /v1/experiments/{experimentId}', status: 200 },
  { call: 'GET /v1/experiments/{experimentId}', params: { experimentId: 'missing' }, status: 404, code: 'experiment_not_found' },
  ...onDamaged('GET /v1/experiments', { ...baseline, status: 503 }, 'GET /v1/experiments/{experimentId}'),
];

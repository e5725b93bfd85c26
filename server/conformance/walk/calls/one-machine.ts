/** What is told only to the one person whose machine it is. */
import { onDamaged, type Provocation } from '../provocation.ts';

const runs = 'GET /v1/runs/{runId}/traces';
const activity = { call: 'GET /v1/viewer/activity', query: 'from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z' } as const;
const distribution = { call: 'GET /v1/viewer/scores/distribution', query: 'name=tone' } as const;

export const oneMachine: Provocation[] = [
  { call: runs, status: 200 },
  { ...activity, status: 200 },
  { ...distribution, status: 200 },
  { call: 'GET /v1/viewer/storage', status: 200 },
  ...onDamaged(runs, { ...activity, status: 503 }, { ...distribution, status: 503 }, 'GET /v1/viewer/storage'),
];

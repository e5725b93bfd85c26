/** What is told only to the one person whose machine it is. */
import { onDamaged, type Provocation } from '../provocation.ts';

const runs = 'GET /v1/runs/{runId}/traces';

export const oneMachine: Provocation[] = [
  { call: runs, status: 200 },
  { call: 'GET /v1/viewer/storage', status: 200 },
  ...onDamaged(runs, 'GET /v1/viewer/storage'),
];

/** What is told only to the one person whose machine it is. */
import { fullLog, onDamaged, type Provocation } from '../provocation.ts';

const runs = 'GET /v1/runs/{runId}/traces';

const storage = 'GET /v1/viewer/storage';
const older = 'GET /v1/viewer/storage/older';
const keep = { call: 'PUT /v1/viewer/storage/retention', body: { keep_days: 3650, max_bytes: null } } as const;
const compact = 'POST /v1/viewer/storage/compact';

export const oneMachine: Provocation[] = [
  { call: runs, status: 200 },
  { call: storage, status: 200 },
  { call: older, query: '?days=30', status: 200 },
  { call: older, query: '?days=0', status: 400, code: 'invalid_query_params' },
  { ...keep, status: 200 },
  { call: keep.call, body: { keep_days: 0, max_bytes: null }, status: 400, code: 'invalid_request_body' },
  { call: compact, status: 200 },
  ...[keep, { call: compact }].map((each) => ({ ...each, at: fullLog, status: 503, code: 'storage_full' })),
  ...onDamaged(runs, storage, { call: older, query: '?days=30' }, keep, compact),
];

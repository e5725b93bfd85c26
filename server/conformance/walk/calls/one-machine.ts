/** What is told only to the one person whose machine it is, and done only for them. */
import { type Call, fullLog, onDamaged, type Provocation } from '../provocation.ts';

const runs: Call = 'GET /v1/runs/{runId}/traces';
const storage: Call = 'GET /v1/viewer/storage';
const older: Provocation = { call: 'GET /v1/viewer/storage/older', query: '?days=30', status: 200 };
const keep: Provocation = { call: 'PUT /v1/viewer/storage/retention', body: { keep_days: 3650, max_bytes: null }, status: 200 };
const compact: Provocation = { call: 'POST /v1/viewer/storage/compact', status: 200 };
const full = { at: fullLog, status: 503, code: 'storage_full' };

export const oneMachine: Provocation[] = [
  { call: runs, status: 200 },
  { call: storage, status: 200 },
  older,
  { ...older, query: '?days=0', status: 400, code: 'invalid_query_params' },
  keep,
  { ...keep, body: { keep_days: 0, max_bytes: null }, status: 400, code: 'invalid_request_body' },
  compact,
  { ...keep, ...full },
  { ...compact, ...full },
  ...onDamaged(runs, storage, older, keep, compact),
];

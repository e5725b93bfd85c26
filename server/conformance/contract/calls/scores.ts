import { full, fullLog, onDamaged, type Trigger } from '../trigger.ts';

const draft = { resource_id: 'a'.repeat(32), name: 'sample', score: 1 };
const nothing = { name: 'sample' };
const create = { call: 'POST /v1/scores', body: draft } as const;
const createMany = { call: 'POST /v1/scores/batch', body: { scores: [draft] } } as const;
const remove = { call: 'DELETE /v1/scores/{scoreId}', params: { scoreId: '{deletableScoreId}' } } as const;
const storageFull = { status: 503, code: 'storage_full' } as const;
/** Too long for the free space in any page. */
const long = { ...draft, reason: 'because '.repeat(50_000) };

export const scores: Trigger[] = [
  { ...create, status: 201 },
  { ...create, body: nothing, status: 400, code: 'invalid_request_body' },
  { ...createMany, status: 201 },
  { ...createMany, body: { scores: [draft, nothing] }, status: 207 },
  { ...createMany, body: { scores: [nothing] }, status: 400 },
  { ...createMany, body: { scores: [] }, status: 400, code: 'invalid_request_body' },
  { ...createMany, body: { scores: Array(1001).fill(draft) }, status: 413, code: 'payload_too_large' },
  { call: 'GET /v1/scores', query: 'resource_type=trace', status: 200 },
  { call: 'GET /v1/scores', status: 200 },
  { call: 'GET /v1/scores/names', status: 200 },
  { call: 'GET /v1/scores/{scoreId}', status: 200 },
  { call: 'GET /v1/scores/{scoreId}', params: { scoreId: 'missing' }, status: 404, code: 'score_not_found' },
  { ...remove, status: 204, type: '' },
  { ...remove, status: 404, code: 'score_not_found' },
  ...onDamaged('GET /v1/scores', 'GET /v1/scores/names', 'GET /v1/scores/{scoreId}'),
  ...onDamaged({ ...create, status: 503 }, { ...createMany, status: 503 }, { ...remove, status: 503 }),
  { ...create, body: long, at: full, ...storageFull },
  { ...createMany, body: { scores: [long] }, at: full, ...storageFull },
  // A deletion needs no space in the database, only in its log.
  { ...remove, at: fullLog, ...storageFull },
];

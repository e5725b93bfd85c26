import { fullLog, onDamaged, type Trigger } from '../trigger.ts';

const call = 'POST /v1/trace-tags';
const ids = { trace_ids: ['{traceId}'] };
const manyTags = (from: number) => Array.from({ length: 20 }, (_, at) => `tag ${from + at}`);

export const traceTags: Trigger[] = [
  { call: 'GET /v1/trace-tags', query: 'trace_ids={traceId}', status: 200 },
  { call, body: { ...ids, add: ['reviewed'] }, status: 200 },
  { call, body: { ...ids, remove: ['reviewed'] }, status: 200 },
  { call, body: { ...ids }, status: 400, code: 'invalid_request_body' },
  ...[0, 20, 40, 60, 80].map((from): Trigger => ({ call, body: { ...ids, add: manyTags(from) }, status: 200 })),
  { call, body: { ...ids, add: ['one more'] }, status: 409, code: 'too_many_tags' },
  { call, body: { ...ids, add: ['reviewed'] }, at: fullLog, status: 503, code: 'storage_full' },
  ...onDamaged(
    { call: 'GET /v1/trace-tags', query: 'trace_ids={traceId}', status: 503 },
    { call, body: { ...ids, add: ['reviewed'] }, status: 503 },
  ),
];

/** Links to traces, and what they show to anybody. */
import { healthy, onDamaged, rateLimited, type Trigger } from '../../trigger.ts';
import { deleted, missing } from './records.ts';

const hides = { contents: true, attributes: true, costs: true };
const make = { call: 'POST /v1/share-links', body: { trace_id: '{traceId}', hides } } as const;
const settings = 'PUT /v1/share-links/settings';
const token = { headers: { 'x-share-token': '{shareToken}' } };
const reads = [
  { call: 'GET /v1/shared-trace', ...token },
  { call: 'GET /v1/shared-trace/spans', query: 'ids={spanId}', ...token },
  { call: 'GET /v1/shared-trace/span', query: 'id={spanId}', ...token },
] as const;

/** Changes that a full store refuses. */
export const shareLinks: Trigger[] = [
  { ...make, status: 201 },
  { ...make, body: { trace_id: 'f'.repeat(32), hides }, status: 404, code: 'trace_not_found' },
  { call: 'GET /v1/share-links', status: 200 },
  { call: 'GET /v1/share-links/settings', status: 200 },
  ...deleted('DELETE /v1/share-links/{linkId}', { linkId: '{deletableLinkId}' }, 'share_link_not_found'),
  missing({ call: 'DELETE /v1/share-links/{linkId}' }, 'linkId', 'share_link_not_found'),
  { call: settings, body: { allowed: false }, status: 200 },
  { ...make, status: 403, code: 'share_links_not_allowed' },
  // Allowed already when the store is full: then there is nothing to store.
  { call: settings, body: { allowed: true }, at: healthy, status: 200 },
];

export const sharedReads: Trigger[] = [
  ...reads.map((read): Trigger => ({ ...read, status: 200 })),
  ...reads.map((read): Trigger => ({ ...read, headers: {}, status: 404, code: 'share_link_not_found' })),
  { ...reads[2], query: 'id=missing', status: 404, code: 'span_not_found' },
  ...reads.map((read): Trigger => ({ ...read, headers: {}, at: rateLimited, status: 429, code: 'rate_limit_exceeded' })),
  ...reads.flatMap((read) => onDamaged({ ...read, status: 503 })),
  ...onDamaged({ ...make, body: { trace_id: 'f'.repeat(32), hides }, status: 503 }),
];

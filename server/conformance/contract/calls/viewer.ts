import { aRequest, aSpan } from '../../../../shared/fixtures/otlp.ts';
import { onDamaged, type Trigger } from '../trigger.ts';

const span = '/v1/viewer/traces/{traceId}/spans/{spanId}';
const trace = '/v1/viewer/traces/{traceId}';
const unknown = { traceId: 'missing' };
const previews = { call: `GET ${trace}/spans`, query: 'ids={spanId}' } as const;
const found = { call: `GET ${trace}/find`, query: 'q=owls' } as const;

const lists = ['traces', 'traces-over-time', 'trace-facets', 'error-groups'].map((list) => `GET /v1/viewer/${list}` as const);
const matches = { call: 'GET /v1/viewer/trace-matches', query: 'trace_ids={traceId}&filter=owls' } as const;
const compare = { call: 'GET /v1/viewer/compare', query: 'a={traceId}&b={traceId}' } as const;
const groups = { call: 'GET /v1/viewer/compare/groups', query: 'a_ids={traceId}&b=errors=0' } as const;
const activity = { call: 'GET /v1/viewer/activity', query: 'from=0&to=1767225600000' } as const;
const distribution = { call: 'GET /v1/viewer/scores/distribution', query: 'name=tone' } as const;
const values = { call: 'GET /v1/viewer/filter-values', query: 'field=model' } as const;

export const viewer: Trigger[] = [
  {
    call: 'GET /v1/viewer/live',
    meanwhile: { call: 'POST /v1/traces', body: aRequest([aSpan()]), status: 200 },
    status: 200,
    type: 'text/event-stream',
  },
  { call: `GET ${span}/raw`, status: 200 },
  { call: `GET ${span}/raw`, params: unknown, status: 404, code: 'span_not_found' },
  { call: `GET ${span}/media/{sha256}`, status: 200, type: 'image/png' },
  { call: `GET ${span}/media/{sha256}`, headers: { 'if-none-match': '*' }, status: 304, type: '' },
  { call: `GET ${span}/media/{sha256}`, params: unknown, status: 404, code: 'media_not_found' },
  { call: 'GET /v1/viewer/ingest-log', query: 'search=traces', status: 200 },
  { call: 'GET /v1/viewer/mcp-clients', status: 200 },
  { call: 'GET /v1/viewer/price', query: 'model=gpt-4o', status: 200 },
  { ...activity, status: 200 },
  { ...activity, query: `${activity.query}&filter=cost>`, status: 400, code: 'invalid_filter' },
  { ...distribution, status: 200 },
  ...onDamaged({ ...activity, status: 503 }, { ...distribution, status: 503 }),
  { call: `GET ${trace}/outline`, status: 200 },
  { call: `GET ${trace}/outline`, params: unknown, status: 404, code: 'trace_not_found' },
  { call: `GET ${trace}/context`, status: 200 },
  { call: `GET ${trace}/context`, params: unknown, status: 404, code: 'trace_not_found' },
  { ...compare, status: 200 },
  { ...compare, query: 'a={traceId}&b=missing', status: 404, code: 'trace_not_found' },
  ...onDamaged({ ...compare, status: 503 }),
  { call: `GET ${trace}/seen-before`, status: 200 },
  { call: `GET ${trace}/seen-before`, params: unknown, status: 404, code: 'trace_not_found' },
  ...onDamaged(`GET ${trace}/seen-before`),
  { ...groups, status: 200 },
  { ...groups, query: 'a=cost>', status: 400, code: 'invalid_filter' },
  ...onDamaged({ ...groups, status: 503 }),
  { ...previews, status: 200 },
  { ...found, status: 200 },
  ...lists.flatMap((call): Trigger[] => [
    { call, query: 'filter=cost>0', status: 200 },
    { call, query: 'filter=cost>', status: 400, code: 'invalid_filter' },
  ]),
  { ...matches, status: 200 },
  { ...matches, query: 'trace_ids={traceId}&filter=cost>', status: 400, code: 'invalid_filter' },
  { ...values, status: 200 },
  ...onDamaged(...lists, { ...matches, status: 503 }, { ...values, status: 503 }),
  { call: 'GET /v1/viewer/places/{id}', params: { id: '{spanId}' }, status: 200 },
  { call: 'GET /v1/viewer/places/{id}', params: { id: 'missing' }, status: 404, code: 'span_not_found' },
  ...onDamaged({ call: 'GET /v1/viewer/places/{id}', params: { id: '{spanId}' }, status: 503 }),
  ...onDamaged(`GET ${span}/raw`, `GET ${span}/media/{sha256}`, `GET ${trace}/outline`, `GET ${trace}/context`),
  ...onDamaged({ ...previews, status: 503 }, { ...found, status: 503 }),
];

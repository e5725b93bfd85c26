/** Forwarding, on local gateways. The record `name` is a destination that refuses all spans of the fixture for good. */
import { type Call, fullLog, onDamaged, type Trigger } from '../trigger.ts';

/** With a damaged secrets file. */
export const keyless = 'with damaged keys';

const path = '/v1/viewer/forwarding';
const list: Call = `GET ${path}`;
const create = {
  call: `POST ${path}`,
  body: { name: 'sample', url: '{refusingUrl}', app_id: 'local', key: '{serviceKey}' },
} satisfies Partial<Trigger>;
const change = { call: `PATCH ${path}/{name}`, body: { is_paused: false } } satisfies Partial<Trigger>;
const elsewhere = { ...change, body: { url: 'http://127.0.0.1:9' } } satisfies Partial<Trigger>;
const remove = { call: `DELETE ${path}/{name}` } satisfies Partial<Trigger>;
const retry = { call: `POST ${path}/{name}/retry` } satisfies Partial<Trigger>;
const deadLetters = { call: `GET ${path}/{name}/dead-letters` } satisfies Partial<Trigger>;
const lines = { call: `GET ${path}/{name}/dead-letters/otlp` } satisfies Partial<Trigger>;
const retryDeadLetters = { call: `POST ${path}/{name}/dead-letters/retry` } satisfies Partial<Trigger>;
const byHand = { call: `POST ${path}/{name}/traces`, body: { trace_ids: ['{traceId}'] } } satisfies Partial<Trigger>;
const states = { call: 'POST /v1/viewer/forwarding-states', body: { trace_ids: ['{traceId}'] } } satisfies Partial<Trigger>;

const start = { call: 'POST /v1/viewer/forwarding-links', body: { url: '{refusingUrl}' } } satisfies Partial<Trigger>;
const link = { call: 'GET /v1/viewer/forwarding-links/{linkId}' } satisfies Partial<Trigger>;
const cancel = { call: 'DELETE /v1/viewer/forwarding-links/{linkId}' } satisfies Partial<Trigger>;
const noLink = { params: { linkId: '00000000-0000-4000-8000-000000000000' }, status: 404, code: 'link_not_found' } as const;

const missing = { params: { name: 'missing' }, status: 404, code: 'destination_not_found' } as const;
const noKeys = { at: keyless, status: 503, code: 'secrets_unavailable' } as const;
const full = { at: fullLog, status: 503, code: 'storage_full' } as const;

export const forwarding: Trigger[] = [
  { call: list, status: 200 },
  { ...create, status: 201 },
  { ...create, status: 409, code: 'duplicate_destination_name' },
  { ...create, body: { ...create.body, name: 'other', key: 'sk_service_typo' }, status: 400, code: 'invalid_request_body' },
  { ...change, status: 200 },
  { ...elsewhere, body: { url: 'http://elsewhere.example' }, status: 400, code: 'invalid_request_body' },
  { ...deadLetters, status: 200 },
  { ...deadLetters, query: 'limit=0', status: 400, code: 'invalid_query_params' },
  { ...lines, status: 200, type: 'application/x-ndjson' },
  { ...retry, status: 200 },
  { ...retryDeadLetters, status: 200 },
  { ...byHand, status: 200 },
  { ...states, status: 200 },
  ...[change, remove, retry, deadLetters, lines, retryDeadLetters, byHand].map((each): Trigger => ({ ...each, ...missing })),
  ...[create, elsewhere, remove].map((each): Trigger => ({ ...each, ...noKeys })),
  // Retrying needs dead letters.
  ...[create, change, retryDeadLetters, byHand, remove].map((each): Trigger => ({ ...each, ...full })),
  ...onDamaged(
    list,
    ...[create, change, remove, retry, deadLetters, lines, retryDeadLetters, byHand, states].map(
      (each): Trigger => ({ ...each, status: 503 }),
    ),
  ),
  { ...remove, params: { name: 'sample' }, status: 204, type: '' },
  { ...start, status: 201 },
  { ...start, body: { url: 'http://elsewhere.example' }, status: 400, code: 'invalid_request_body' },
  { ...link, status: 200 },
  ...[link, cancel].map((each): Trigger => ({ ...each, ...noLink })),
  { ...cancel, status: 204, type: '' },
];

/** OTLP, in JSON and protobuf. Refusals that both have in common are derived from the document. */
import { randomBytes } from 'node:crypto';
import { aRequest, aSpan } from '../../../../shared/fixtures/otlp.ts';
import { type Call, full, onDamaged, type Trigger } from '../trigger.ts';

const type = 'application/x-protobuf';
const inProtobuf = { headers: { 'content-type': type } };
const nothingInProtobuf = { ...inProtobuf, body: new Uint8Array(0) };
/** A field that ends before its length. */
const cut = { ...inProtobuf, body: Uint8Array.of(0x0a, 0x7f, 0x00) };

/** Incompressible. */
const longText = randomBytes(300_000).toString('hex');

const ids = { traceId: 'd'.repeat(32), spanId: 'd'.repeat(16) };
const spans = aRequest([aSpan({ attributes: { text: longText } })]);
const logRecord = { ...ids, timeUnixNano: '1768471200000000000', body: { stringValue: longText } };
export const logs = {
  resourceLogs: [
    { scopeLogs: [{ logRecords: [{ ...logRecord, attributes: [{ key: 'event.name', value: { stringValue: 'gen_ai.user.message' } }] }] }] },
  ],
};

const received = (call: Call, body: object): Trigger[] => [
  { call, body, status: 200 },
  { call, ...nothingInProtobuf, status: 200, type },
  { call, ...cut, status: 400, code: 'protobuf_decode_failed', type },
  { call, body, headers: { 'content-encoding': 'br' }, status: 415, code: 'unsupported_media_type' },
  ...onDamaged({ call, body, status: 503 }),
  { call, body, at: full, status: 503, code: 'storage_full' },
];

export const ingest: Trigger[] = [
  ...received('POST /v1/traces', spans),
  ...received('POST /v1/logs', logs),
  { call: 'POST /v1/metrics', body: { resourceMetrics: [] }, status: 200 },
  { call: 'POST /v1/metrics', ...nothingInProtobuf, status: 200, type },
];

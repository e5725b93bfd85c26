/** Traces as files: of gateways that serve whoever sits before them. */
import { randomBytes } from 'node:crypto';
import { aSpan } from '../../../../shared/fixtures/otlp.ts';
import { anArchive } from '../../an-archive.ts';
import { type Call, full, onDamaged, type Trigger } from '../trigger.ts';

const headers = { 'content-type': 'application/vnd.sqlite3' };
const traceId = 'c'.repeat(32);
const archive = anArchive(traceId, [aSpan({ traceId, attributes: { text: randomBytes(300_000).toString('hex') } })]);
const take = { call: 'POST /v1/viewer/import', headers, body: archive } as const;

const read = (form: string, type?: string): Trigger[] => {
  const call = `GET /v1/viewer/export/${form}` as Call;
  const one = { call, query: 'trace_id={traceId}' };
  return [
    { ...one, status: 200, ...(type && { type }) },
    { call, query: 'trace_id=missing', status: 404, code: 'trace_not_found' },
    { call, query: 'trace_id={hugeTraceId}', status: 413, code: 'payload_too_large' },
    ...onDamaged({ ...one, status: 503 }),
  ];
};

export const traceFiles: Trigger[] = [
  ...read('otlp'),
  ...read('capsule', headers['content-type']),
  { ...take, status: 200 },
  { ...take, body: 'not a trace archive', status: 400, code: 'invalid_capsule' },
  ...onDamaged({ ...take, status: 503 }),
  { ...take, at: full, status: 503, code: 'storage_full' },
];

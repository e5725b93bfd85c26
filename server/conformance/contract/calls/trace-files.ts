/** Export and import of traces as files, on local gateways. */
import { randomBytes } from 'node:crypto';
import { aSpan } from '../../../../shared/fixtures/otlp.ts';
import { anArchive } from '../../an-archive.ts';
import { type Call, full, onDamaged, type Trigger } from '../trigger.ts';

/** A gateway whose records include `hugeTraceId`. */
export const withHugeTrace = 'with a huge trace';

const headers = { 'content-type': 'application/vnd.sqlite3' };
const traceId = 'c'.repeat(32);
const archive = anArchive(traceId, [aSpan({ traceId, attributes: { text: randomBytes(300_000).toString('hex') } })]);
const importArchive = { call: 'POST /v1/viewer/import', headers, body: archive } as const;

const read = (form: string, type?: string): Trigger[] => {
  const call = `GET /v1/viewer/export/${form}` as Call;
  const one = { call, query: 'trace_id={traceId}' };
  return [
    { ...one, status: 200, ...(type && { type }) },
    { call, query: 'trace_id=missing', status: 404, code: 'trace_not_found' },
    { call, at: withHugeTrace, query: 'trace_id={hugeTraceId}', status: 413, code: 'payload_too_large' },
    ...onDamaged({ ...one, status: 503 }),
  ];
};

export const traceFiles: Trigger[] = [
  ...read('otlp'),
  ...read('capsule', headers['content-type']),
  { ...importArchive, status: 200 },
  { ...importArchive, body: 'not a trace archive', status: 400, code: 'invalid_capsule' },
  ...onDamaged({ ...importArchive, status: 503 }),
  { ...importArchive, at: full, status: 503, code: 'storage_full' },
];

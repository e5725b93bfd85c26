/** Entries of the ingest log. */
import type { IncomingMessage } from 'node:http';
import type { IngestLogEntry } from '../../shared/contract/viewer/viewer.ts';

/** Outcome of a request. Absent when nothing was stored. */
export type LoggedOutcome = Pick<IngestLogEntry, 'status' | 'message' | 'bytes'> &
  Partial<Pick<IngestLogEntry, 'code' | 'hint' | 'spans_accepted' | 'spans_duplicate' | 'spans_rejected' | 'families' | 'kinds'>>;

const plausibleBatch = /^[\x21-\x7e]{1,128}$/;

const batchOf = (sent: string | string[] | undefined): string | null =>
  typeof sent === 'string' && plausibleBatch.test(sent) ? sent : null;

export const entryOf = (
  { url, headers }: IncomingMessage,
  id: string,
  startMs: number,
  endMs: number,
  outcome: LoggedOutcome,
): IngestLogEntry => ({
  id,
  at: new Date(startMs).toISOString(),
  path: (url ?? '').split('?')[0] ?? '',
  code: null,
  hint: '',
  encoding: headers['content-encoding'] ?? 'identity',
  media_type: headers['content-type'] ?? '',
  spans_accepted: 0,
  spans_duplicate: 0,
  spans_rejected: 0,
  families: {},
  kinds: {},
  duration_ms: endMs - startMs,
  user_agent: headers['user-agent'] ?? '',
  batch: batchOf(headers['x-service-batch']),
  ...outcome,
});

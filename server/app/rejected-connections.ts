/**
 * Logs POST requests that no route handled: sent to a path that is not served, or rejected by the guard. Misconfigured exporters
 * send them and report nothing; their owner looks at the ingest log.
 */
import type { IncomingMessage } from 'node:http';
import type { IngestLog } from '../ingest/ingest-log.ts';
import type { Clock } from '../platform/clock.ts';
import type { Scope } from '../platform/scope.ts';
import { requestIdOf } from './answer.ts';
import type { Failure } from './fail.ts';
import { entryOf } from './ingest-log-entry.ts';
import { contentLength } from './read-body.ts';

export type NoteRejection = (request: IncomingMessage, failure: Failure) => void;

/** Repeated rejections are logged once a second, so that they do not push others out of the log. */
const repeatMs = 1000;

export function noteRejections(log: IngestLog, scope: Scope, clock: Clock): NoteRejection {
  let last = { kind: '', atMs: 0 };
  return (request, { status, code, message }) => {
    if (request.method !== 'POST') return;
    const now = clock.now();
    const entry = entryOf(request, requestIdOf(request), now, now, { status, code, message, bytes: contentLength(request) ?? 0 });
    const kind = `${entry.path} ${code} ${entry.user_agent}`;
    const atMs = clock.monotonic();
    if (kind === last.kind && atMs - last.atMs < repeatMs) return;
    last = { kind, atMs };
    log.add(scope, entry);
  };
}

/**
 * Writing requests that no route took: posted to a path that is not served, or rejected by the guard. Exporters that are set up
 * wrong do that, and say nothing; the ingest log is where their owner looks.
 */
import type { IncomingMessage } from 'node:http';
import type { IngestLog } from '../ingest/ingest-log.ts';
import type { Clock } from '../platform/clock.ts';
import type { Scope } from '../platform/scope.ts';
import { requestIdOf } from './answer.ts';
import type { Failure } from './fail.ts';
import { entryOf } from './noted-request.ts';
import { contentLength } from './read-body.ts';

export type NoteRejection = (request: IncomingMessage, failure: Failure) => void;

/** Repeated rejections are logged once a second, so that they do not push others out of the log. */
const quietMs = 1000;

export function noteRejections(log: IngestLog, scope: Scope, clock: Clock): NoteRejection {
  let last = { what: '', atMs: 0 };
  return (request, { status, code, message }) => {
    if (request.method !== 'POST') return;
    const now = clock.now();
    const entry = entryOf(request, requestIdOf(request), now, now, { status, code, message, bytes: contentLength(request) ?? 0 });
    const what = `${entry.path} ${code} ${entry.user_agent}`;
    const atMs = clock.monotonic();
    if (what === last.what && atMs - last.atMs < quietMs) return;
    last = { what, atMs };
    log.add(scope, entry);
  };
}

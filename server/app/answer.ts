/** Writes all answers, and logs requests that failed because of a fault of ours. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Route } from '../../shared/contract/core/route.ts';
import type { Log } from '../platform/log.ts';
import { release } from '../platform/release.ts';
import { retrySeconds } from '../platform/retry-seconds.ts';
import { Encoded } from '../telemetry/encoded.ts';
import { StorageError } from '../telemetry/storage-error.ts';
import { endAfterBody, isSendingBody } from './end-after-body.ts';
import { Failure } from './fail.ts';
import type { Answer } from './module.ts';
import { isProtobuf, statusMessage } from './otlp-status.ts';

export const requestIds = new WeakMap<IncomingMessage, string>();

const plausibleId = /^[\x21-\x7e]{1,128}$/;

/** The sender's `X-Request-Id` when it is valid, else a new UUID. */
export function requestIdOf(request: IncomingMessage): string {
  const existing = requestIds.get(request);
  if (existing) return existing;
  const sent = request.headers['x-request-id'];
  const id = typeof sent === 'string' && plausibleId.test(sent) ? sent : crypto.randomUUID();
  requestIds.set(request, id);
  return id;
}

export function answer(request: IncomingMessage, response: ServerResponse, route: Route | null, { status, body, headers }: Answer): void {
  response.statusCode = status;
  response.setHeader('X-Request-Id', requestIdOf(request));
  response.setHeader('Cache-Control', (status < 400 && route?.cache) || 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  // Other ports of this machine belong to the same site, so their pages could embed an answer, such as an image, without CORS.
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (status === 200 && hasCurrentVersion(request, response.getHeader('ETag'))) response.statusCode = 304;
  if (status === 204 || response.statusCode === 304 || body === undefined) {
    response.end();
    return;
  }
  const isBytes = body instanceof Uint8Array;
  const parts = isBytes ? [body] : jsonParts(body);
  if (!response.hasHeader('Content-Type'))
    response.setHeader('Content-Type', isBytes ? 'application/octet-stream' : 'application/json; charset=utf-8');
  response.setHeader(
    'Content-Length',
    parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0),
  );
  // Not on `close`, because a broken connection may still write from the buffer. A Buffer may share its memory; plain bytes come from a
  // thread and have no other user.
  const releasable = isEncoded(body) ? body.data.json : isBytes && !Buffer.isBuffer(body) ? body : null;
  if (releasable) response.once('finish', () => release(releasable));
  response.cork();
  for (const part of parts) response.write(part);
  if (isSendingBody(request)) {
    response.uncork();
    endAfterBody(request, response);
  } else response.end();
}

/** Whether the request has the current version (`If-None-Match`). */
function hasCurrentVersion({ headers }: IncomingMessage, etag: unknown): boolean {
  const etags = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return etags !== undefined && (etags.includes('*') || etags.includes(String(etag))) && etag !== undefined;
}

/** JSON text in parts; an encoded `data` of up to 20 MB is inserted without a copy. */
function jsonParts(body: unknown): (string | Uint8Array)[] {
  if (!isEncoded(body)) return [JSON.stringify(body)];
  const { data, ...rest } = body;
  const after = JSON.stringify(rest).slice(1);
  return ['{"data":', data.json, after === '}' ? '}' : `,${after}`];
}

const isEncoded = (body: unknown): body is { data: Encoded<unknown> } =>
  typeof body === 'object' && body !== null && 'data' in body && body.data instanceof Encoded;

/** Error answer of a failed request. Our own faults are logged. */
export function failureOf(request: IncomingMessage, route: Route | null, error: unknown, log: Log): Failure {
  const failure = asFailure(error, requestIdOf(request));
  if (failure.code === 'internal_error') {
    log.error('request_failed', {
      request_id: requestIdOf(request),
      route: route?.id,
      error: error instanceof Error ? error.stack : String(error),
    });
  }
  return failure;
}

/** @returns what was answered */
export function answerFailure(request: IncomingMessage, response: ServerResponse, route: Route | null, error: unknown, log: Log): Failure {
  const failure = failureOf(request, route, error, log);
  if (response.headersSent) {
    response.destroy();
    return failure;
  }
  const headers: Record<string, string> = { ...failure.headers };
  if (failure.retryAfterSeconds !== null) headers['Retry-After'] = String(failure.retryAfterSeconds);
  // The rest of an oversized or refused body is not read, so the connection cannot be reused.
  if (isSendingBody(request)) headers['Connection'] = 'close';
  if (route?.wire === 'otlp' && isProtobuf(request)) {
    headers['Content-Type'] = 'application/x-protobuf';
    answer(request, response, route, { status: failure.status, body: statusMessage(failure), headers });
    return failure;
  }
  answer(request, response, route, { status: failure.status, body: failure.body(), headers });
  return failure;
}

/** Maps every error to an error code. Unforeseen errors reveal only the request id. */
function asFailure(error: unknown, requestId: string): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof StorageError && error.errorKind !== 'mistake') return storageFailure(error);
  if (error instanceof URIError)
    return new Failure('invalid_path_params', 'Invalid path parameters', { details: { _: 'is not valid percent-encoding' } });
  return new Failure('internal_error', `Something went wrong in the gateway. Its log has more under request ${requestId}.`);
}

function storageFailure({ errorKind, message }: StorageError): Failure {
  if (errorKind === 'full') return new Failure('storage_full', 'The disk is full; nothing of this request was stored', {}, 5);
  // The threads of the store add their stack for the log; answers must not contain it.
  const firstLine = message.split('\n', 1)[0] as string;
  if (errorKind === 'crowded') return new Failure('service_unavailable', firstLine, {}, retrySeconds());
  if (errorKind === 'slow' || errorKind === 'abandoned' || errorKind === 'busy' || errorKind === 'stopping')
    return new Failure('service_unavailable', firstLine, {}, 1);
  return new Failure('storage_unavailable', `The store cannot be used now: ${firstLine}`, {}, 5);
}

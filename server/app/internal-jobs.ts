/**
 * Jobs that other gateways send for the workers of this one (server/workers/job-messages.ts). Not a route of the contract: the only credential is a
 * signature of the installation, which is checked before anything is read.
 */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFrame } from '../../shared/worker-frames.ts';
import { digestOf, type GatewaySignatures } from '../identity/gateway-signatures.ts';
import type { Log } from '../platform/log.ts';
import { type ConnectionRegistry, JobFailure } from '../workers/connection-registry.ts';
import { aliveEveryMs, type FromHolder, jobsPath, type PostedJob, postBytesMax, postedJob } from '../workers/job-messages.ts';
import { answerFailure } from './answer.ts';
import { fail } from './fail.ts';
import type { Guard } from './guard.ts';
import { readBytes } from './read-body.ts';

/** A gateway that reads more slowly than its worker writes. */
const unreadBytesMax = 16 * 1024 * 1024;

interface Parts {
  signatures: GatewaySignatures;
  /** Connections of this gateway. */
  workers: Pick<ConnectionRegistry, 'dispatch'>;
  /** Id of this process. */
  instance: string;
  log: Log;
}

export const internalJobs =
  (parts: Parts): Guard =>
  (request, response) => {
    if (request.url !== jobsPath || request.method !== 'POST') return 'pass';
    answerJob(request, response, parts).catch((error: unknown) => answerFailure(request, response, null, error, parts.log));
    return 'answered';
  };

async function answerJob(request: IncomingMessage, response: ServerResponse, { workers, ...parts }: Parts): Promise<void> {
  const { scope, id, request: job, silenceMs } = await readJob(request, parts);
  const closed = new AbortController();
  response.once('close', () => closed.abort('The job was cancelled'));
  if (response.destroyed) return;
  response.writeHead(200, { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' });
  const say = (message: FromHolder) => {
    response.write(`${JSON.stringify(message)}\n`);
    if (response.writableLength > unreadBytesMax) response.destroy();
  };
  say({ type: 'alive' });
  const alive = setInterval(() => say({ type: 'alive' }), aliveEveryMs);
  try {
    const onLine = (line: unknown) => say({ type: 'line', line });
    say({ type: 'result', result: await workers.dispatch(scope, { id, request: job, silenceMs, onLine, signal: closed.signal }) });
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    say({ type: 'failure', errorKind: error.errorKind, message: error.message });
  } finally {
    clearInterval(alive);
  }
  response.end();
}

/** @throws Failure */
async function readJob(request: IncomingMessage, { signatures, instance }: Omit<Parts, 'workers'>): Promise<PostedJob> {
  const unsigned = (): never => fail('unauthorized', 'Requests between gateways must be signed');
  const digest = signatures.accept('POST', jobsPath, request.headers.authorization) ?? unsigned();
  const body = await readBytes(request, postBytesMax);
  if (!timingSafeEqual(digestOf(body), digest)) unsigned();
  const posted =
    readFrame(postedJob, new TextDecoder().decode(body)) ??
    fail('invalid_request_body', 'The body is not a job in the format of this version');
  return posted.to === instance ? posted : fail('not_found', 'The gateway that had this address has gone');
}

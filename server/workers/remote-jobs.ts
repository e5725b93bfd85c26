/** Jobs for workers whose sockets other gateways have. */
import { type JobResult, readFrame } from '../../shared/worker-frames.ts';
import type { SocketHolder } from '../coordination/worker-sockets.ts';
import type { GatewaySignatures } from '../identity/gateway-signatures.ts';
import type { Log } from '../platform/log.ts';
import type { Scope } from '../platform/scope.ts';
import { JobFailure, type JobOrder } from './connection-registry.ts';
import { type FromHolder, fromHolder, jobsPath, type PostedJob } from './job-messages.ts';
import { jobFrame } from './jobs.ts';

/** A holder that says nothing for this long has gone. */
const silenceMaxMs = 20_000;
/** A line of a worker is shorter; JSON of the same value may be longer. */
const messageCharsMax = 8 * 1024 * 1024;

export class RemoteJobs {
  readonly #signatures: GatewaySignatures;
  readonly #log: Log;
  readonly #stopping = new AbortController();

  constructor(signatures: GatewaySignatures, log: Log) {
    this.#signatures = signatures;
    this.#log = log;
  }

  /** @throws JobFailure, of the holder's kind or `connection_lost` */
  async dispatch(holder: SocketHolder, scope: Scope, order: JobOrder): Promise<JobResult> {
    const { id, request, silenceMs, signal: cancelled } = order;
    jobFrame(order);
    const ending = new AbortController();
    const silence = setTimeout(() => ending.abort(new Error('The gateway is silent')), silenceMaxMs);
    const signals = [ending.signal, this.#stopping.signal, ...(cancelled ? [cancelled] : [])];
    try {
      const posted: PostedJob = { to: holder.instance, scope, id, request, silenceMs };
      const body = await this.#post(holder.address, posted, AbortSignal.any(signals));
      return await resultOf(body, order, () => silence.refresh());
    } catch (error) {
      if (error instanceof JobFailure) throw error;
      if (cancelled?.aborted) throw new JobFailure('cancelled', id, String(cancelled.reason));
      if (this.#stopping.signal.aborted) throw new JobFailure('stopping', id, 'The gateway was stopped');
      this.#log.error('worker_job_lost', { address: holder.address, reason: reasonOf(error) });
      throw new JobFailure('connection_lost', id, 'The gateway that the worker is connected to cannot be reached');
    } finally {
      clearTimeout(silence);
      ending.abort();
    }
  }

  /** Fails every job. */
  stop(): void {
    this.#stopping.abort();
  }

  async #post(address: string, posted: PostedJob, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const body = Buffer.from(JSON.stringify(posted));
    const headers = { 'Content-Type': 'application/json', Authorization: this.#signatures.sign('POST', jobsPath, body) };
    const response = await fetch(new URL(jobsPath, address), { method: 'POST', headers, body, signal, redirect: 'error' });
    if (response.status === 200 && response.body) return response.body;
    throw new Error(`It answered ${response.status}`);
  }
}

async function resultOf(body: AsyncIterable<Uint8Array>, { id, onLine }: JobOrder, onBytes: () => void): Promise<JobResult> {
  for await (const message of messagesOf(body, onBytes)) {
    if (message.type === 'line') onLine?.(message.line);
    else if (message.type === 'result') return message.result;
    else if (message.type === 'failure') throw new JobFailure(message.errorKind, id, message.message);
  }
  throw new Error('Its answer ended early');
}

async function* messagesOf(body: AsyncIterable<Uint8Array>, onBytes: () => void): AsyncGenerator<FromHolder> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let chars = 0;
  for await (const bytes of body) {
    onBytes();
    const [first = '', ...rest] = decoder.decode(bytes, { stream: true }).split('\n');
    parts.push(first);
    chars += first.length;
    if (chars > messageCharsMax) throw new Error('Its message is too long');
    for (const next of rest) {
      const message = readFrame(fromHolder, parts.join(''));
      if (!message) throw new Error('Its message is not understood');
      yield message;
      parts = [next];
      chars = next.length;
    }
  }
}

/** `fetch` tells more in the cause. */
const reasonOf = (error: unknown): string => {
  const { cause } = (error ?? {}) as { cause?: unknown };
  return cause === undefined ? String(error) : `${String(error)}: ${String(cause)}`;
};

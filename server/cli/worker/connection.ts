/**
 * The connection of a worker to its gateway. It reconnects by itself with growing delays, and ends when it is stopped, when another worker
 * has replaced it, or when the gateway refuses it for good.
 */
import type { IncomingMessage } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { type FromWorker, fromGateway, type JobRequest, readFrame, replacedReason } from '../../../shared/worker-frames.ts';

const heartbeatMs = 30_000;
const silenceMaxMs = 90_000;
const backoffMaxMs = 60_000;
const handshakeTimeoutMs = 15_000;
const closeTimeoutMs = 2_000;
/** Of a frame; the gateway accepts 1 MiB. */
const frameBytesMax = 1_000_000;
/** Number of failed attempts after which a hint is logged. */
const hintAfter = 5;
/** HTTP statuses that another attempt will not change. */
const permanentStatuses = new Set([400, 401, 402, 403, 404, 426, 501]);

export type SendFrame = (frame: Exclude<FromWorker, { type: 'heartbeat' }>) => void;

export interface ConnectionOptions {
  /** Address of the gateway, http or https. */
  url: string;
  key: string;
  headers: Record<string, string>;
  /** Runs the job and sends its result; frames after `signal` has aborted are dropped. Never rejects. */
  runJob(jobId: string, request: JobRequest, sendFrame: SendFrame, signal: AbortSignal): Promise<void>;
  /** Prints a message for people. */
  log(line: string): void;
}

export type ConnectionEnd = { kind: 'stopped' } | { kind: 'replaced' } | { kind: 'refused'; why: string };

export class WorkerConnection {
  readonly #options: ConnectionOptions;
  readonly #jobs = new Map<string, AbortController>();
  /** Jobs that were running when the connection was lost; they are reported to the gateway on the next connection. */
  readonly #lost = new Set<string>();
  #attempts = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Resolves when the connection has ended for good. */
  async run(stop: AbortSignal): Promise<ConnectionEnd> {
    while (!stop.aborted) {
      const end = await this.#connect(stop);
      for (const [id, job] of this.#jobs) {
        this.#lost.add(id);
        job.abort('The connection was lost');
      }
      this.#jobs.clear();
      if (stop.aborted) break;
      if (end.kind !== 'lost') return end;
      await this.#wait(end.why, stop);
    }
    return { kind: 'stopped' };
  }

  async #wait(why: string, stop: AbortSignal): Promise<void> {
    const ceiling = Math.min(backoffMaxMs, 1000 * 2 ** this.#attempts++);
    // Random, so that workers that were disconnected together do not reconnect together.
    const delay = Math.round(ceiling / 2 + (Math.random() * ceiling) / 2);
    this.#options.log(`${why}; trying again in ${(delay / 1000).toFixed(1)} s`);
    if (this.#attempts === hintAfter) this.#options.log('a proxy or firewall on the way may not let WebSockets through');
    await after(delay, undefined, { signal: stop }).catch(() => {});
  }

  #connect(stop: AbortSignal): Promise<Exclude<ConnectionEnd, { kind: 'stopped' }> | { kind: 'lost'; why: string }> {
    const { url, key, headers, log } = this.#options;
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/connect`, {
      headers: { ...headers, authorization: `Bearer ${key}` },
      handshakeTimeout: handshakeTimeoutMs,
      perMessageDeflate: false,
      maxPayload: 2 * frameBytesMax,
    });
    let lastReceivedMs = performance.now();
    let why = 'the connection ended';
    const sendHeartbeat = () => {
      if (performance.now() - lastReceivedMs > silenceMaxMs) socket.terminate();
      else if (socket.readyState === WebSocket.OPEN) send(socket, { type: 'heartbeat', timestamp: new Date().toISOString() });
    };
    const timer = setInterval(sendHeartbeat, heartbeatMs);
    const shutDown = () => this.#shutDown(socket);
    stop.addEventListener('abort', shutDown, { once: true });
    return new Promise((resolve) => {
      socket.on('open', () => {
        log(`connected to ${url}`);
        sendHeartbeat();
        for (const jobId of this.#lost) send(socket, { type: 'job-error', jobId, error: 'connection lost' });
        this.#lost.clear();
      });
      socket.on('message', (data) => {
        lastReceivedMs = performance.now();
        this.#receive(socket, data.toString());
      });
      socket.on('unexpected-response', async (_, response) => {
        const answer = `${response.statusCode} ${await errorIn(response)}`;
        if (permanentStatuses.has(response.statusCode ?? 0)) resolve({ kind: 'refused', why: answer });
        else why = `the gateway answered ${answer}`;
        socket.terminate();
      });
      socket.on('error', (error) => (why = error.message));
      socket.on('close', (code, reason) => {
        clearInterval(timer);
        stop.removeEventListener('abort', shutDown);
        const text = reason.toString();
        if (code === 1000 && text === replacedReason) resolve({ kind: 'replaced' });
        else resolve({ kind: 'lost', why: text === '' ? why : `the gateway closed the connection (${code} ${text})` });
      });
    });
  }

  #receive(socket: WebSocket, text: string): void {
    const frame = readFrame(fromGateway, text);
    // Only now is it certain that the gateway accepts us: a connection that is closed at once is not a success.
    if (frame?.type === 'heartbeat-ack') this.#attempts = 0;
    else if (frame?.type === 'job-cancel') this.#jobs.get(frame.jobId)?.abort(frame.reason);
    else if (frame?.type === 'job' && !this.#jobs.has(frame.jobId)) void this.#startJob(socket, frame.jobId, frame.request);
  }

  async #startJob(socket: WebSocket, jobId: string, request: JobRequest): Promise<void> {
    const job = new AbortController();
    this.#jobs.set(jobId, job);
    const sendFrame: SendFrame = (frame) => {
      if (!job.signal.aborted) send(socket, frame);
    };
    await this.#options.runJob(jobId, request, sendFrame, job.signal);
    if (this.#jobs.get(jobId) === job) this.#jobs.delete(jobId);
  }

  /** Reports unfinished jobs as failed, so that nobody waits for them, and closes the connection. */
  #shutDown(socket: WebSocket): void {
    if (socket.readyState !== WebSocket.OPEN) {
      socket.terminate();
      return;
    }
    for (const [jobId, job] of this.#jobs) {
      send(socket, { type: 'job-error', jobId, error: 'The worker was stopped' });
      job.abort('The worker was stopped');
    }
    socket.close(1000, 'Client shutting down');
    setTimeout(() => socket.terminate(), closeTimeoutMs).unref();
  }
}

function send(socket: WebSocket, frame: FromWorker): void {
  if (socket.readyState !== WebSocket.OPEN) return;
  const text = JSON.stringify(frame);
  if (Buffer.byteLength(text) <= frameBytesMax) socket.send(text);
  else if ('jobId' in frame)
    socket.send(JSON.stringify({ type: 'job-error', jobId: frame.jobId, error: `The result is larger than ${frameBytesMax} bytes` }));
}

/** The code and message of a refusal, from its error envelope. */
async function errorIn(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) if (text.length < 10_000) text += String(chunk);
  try {
    const { error } = JSON.parse(text) as { error: { code: string; message: string } };
    return `${error.code}: ${error.message}`;
  } catch {
    return 'without a reason';
  }
}

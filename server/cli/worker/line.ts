/**
 * The connection of a worker that outlives the connections: it comes back by itself, later each time, and ends when it is told to, when
 * another worker has taken its place, or when the gateway says that it will never be let in.
 */
import type { IncomingMessage } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { type FromWorker, fromGateway, type JobRequest, readFrame, replacedReason } from '../../../shared/worker-frames.ts';

const heartbeatMs = 30_000;
const silenceMaxMs = 90_000;
const backoffMaxMs = 60_000;
const patienceMs = 15_000;
const goodbyeMs = 2_000;
/** Of a frame, with room for what JSON escapes; the gateway takes 1 MiB. */
const frameBytesMax = 1_000_000;
/** After so many attempts without success it is worth a hint. */
const hintAfter = 5;
/** What will not pass by itself. */
const final = new Set([400, 401, 402, 403, 404, 426, 501]);

export type Say = (frame: Exclude<FromWorker, { type: 'heartbeat' }>) => void;

export interface LineOptions {
  /** Of the gateway, http or https. */
  url: string;
  key: string;
  headers: Record<string, string>;
  /** Does the job and says what came of it; what is said after `signal` has aborted is not sent. Never rejects. */
  work(jobId: string, request: JobRequest, say: Say, signal: AbortSignal): Promise<void>;
  /** For people. */
  tell(line: string): void;
}

export type LineEnd = { kind: 'stopped' } | { kind: 'replaced' } | { kind: 'refused'; why: string };

export class WorkerLine {
  readonly #options: LineOptions;
  readonly #jobs = new Map<string, AbortController>();
  /** Those that were under way when the connection was lost; the gateway is told when there is another. */
  readonly #lost = new Set<string>();
  #attempts = 0;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  /** Resolves when it is over for good. */
  async run(stop: AbortSignal): Promise<LineEnd> {
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
    // Workers that were cut off together do not come back together.
    const delay = Math.round(ceiling / 2 + (Math.random() * ceiling) / 2);
    this.#options.tell(`${why}; trying again in ${(delay / 1000).toFixed(1)} s`);
    if (this.#attempts === hintAfter) this.#options.tell('a proxy or firewall on the way may not let WebSockets through');
    await after(delay, undefined, { signal: stop }).catch(() => {});
  }

  #connect(stop: AbortSignal): Promise<Exclude<LineEnd, { kind: 'stopped' }> | { kind: 'lost'; why: string }> {
    const { url, key, headers, tell } = this.#options;
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/connect`, {
      headers: { ...headers, authorization: `Bearer ${key}` },
      handshakeTimeout: patienceMs,
      perMessageDeflate: false,
      maxPayload: 2 * frameBytesMax,
    });
    let heardMs = performance.now();
    let why = 'the connection ended';
    const beat = () => {
      if (performance.now() - heardMs > silenceMaxMs) socket.terminate();
      else if (socket.readyState === WebSocket.OPEN) send(socket, { type: 'heartbeat', timestamp: new Date().toISOString() });
    };
    const timer = setInterval(beat, heartbeatMs);
    const goodbye = () => this.#leave(socket);
    stop.addEventListener('abort', goodbye, { once: true });
    return new Promise((resolve) => {
      socket.on('open', () => {
        tell(`connected to ${url}`);
        beat();
        for (const jobId of this.#lost) send(socket, { type: 'job-error', jobId, error: 'connection lost' });
        this.#lost.clear();
      });
      socket.on('message', (data) => {
        heardMs = performance.now();
        this.#hear(socket, data.toString());
      });
      socket.on('unexpected-response', async (_, response) => {
        const said = `${response.statusCode} ${await errorIn(response)}`;
        if (final.has(response.statusCode ?? 0)) resolve({ kind: 'refused', why: said });
        else why = `the gateway answered ${said}`;
        socket.terminate();
      });
      socket.on('error', (error) => (why = error.message));
      socket.on('close', (code, reason) => {
        clearInterval(timer);
        stop.removeEventListener('abort', goodbye);
        const said = reason.toString();
        if (code === 1000 && said === replacedReason) resolve({ kind: 'replaced' });
        else resolve({ kind: 'lost', why: said === '' ? why : `the gateway closed the connection (${code} ${said})` });
      });
    });
  }

  #hear(socket: WebSocket, text: string): void {
    const frame = readFrame(fromGateway, text);
    // Only now is it certain that the gateway wants us: a connection that is cut at once is no success.
    if (frame?.type === 'heartbeat-ack') this.#attempts = 0;
    else if (frame?.type === 'job-cancel') this.#jobs.get(frame.jobId)?.abort(frame.reason);
    else if (frame?.type === 'job' && !this.#jobs.has(frame.jobId)) void this.#take(socket, frame.jobId, frame.request);
  }

  async #take(socket: WebSocket, jobId: string, request: JobRequest): Promise<void> {
    const job = new AbortController();
    this.#jobs.set(jobId, job);
    const say: Say = (frame) => {
      if (!job.signal.aborted) send(socket, frame);
    };
    await this.#options.work(jobId, request, say, job.signal);
    if (this.#jobs.get(jobId) === job) this.#jobs.delete(jobId);
  }

  /** Nobody waits for what will not come. */
  #leave(socket: WebSocket): void {
    if (socket.readyState !== WebSocket.OPEN) {
      socket.terminate();
      return;
    }
    for (const [jobId, job] of this.#jobs) {
      send(socket, { type: 'job-error', jobId, error: 'The worker was stopped' });
      job.abort('The worker was stopped');
    }
    socket.close(1000, 'Client shutting down');
    setTimeout(() => socket.terminate(), goodbyeMs).unref();
  }
}

function send(socket: WebSocket, frame: FromWorker): void {
  if (socket.readyState !== WebSocket.OPEN) return;
  const text = JSON.stringify(frame);
  if (Buffer.byteLength(text) <= frameBytesMax) socket.send(text);
  else if ('jobId' in frame)
    socket.send(JSON.stringify({ type: 'job-error', jobId: frame.jobId, error: `Its answer is larger than ${frameBytesMax} bytes` }));
}

/** What a refusal says: the code and the words of the envelope. */
async function errorIn(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) if (text.length < 10_000) text += String(chunk);
  try {
    const { error } = JSON.parse(text) as { error: { code: string; message: string } };
    return `${error.code}: ${error.message}`;
  } catch {
    return 'without saying why';
  }
}

/**
 * One worker's socket. Whoever is at the other end wrote their own program: what they send is believed only as far as it is a frame, and
 * whether they read what is sent to them is looked at before more is.
 */
import type { RawData, WebSocket } from 'ws';
import { type FromGateway, type FromWorker, fromWorker, readFrame } from '../../shared/worker-frames.ts';
import type { Clock } from '../platform/clock.ts';
import type { WorkerAbout, WorkerStatus } from './connection-registry.ts';

/** docs/reference/jobs.md#connections. */
const silenceMaxMs = 90_000;
/** What waits to be read stands still for so long: it is not read. */
const stallMaxMs = 5_000;
/** No job goes to a worker that has as much to read already. */
const waitingBytesMax = 64 * 1024;
/** Nor an answer to a heartbeat or a ping: each waits with more around it than it holds. */
const unansweredBytesMax = 4 * 1024;
/** Of one frame, as it may be in the other direction. */
export const frameBytesMax = 1024 * 1024;
/** Between two looks. The client of old sends none. */
const pingsMax = 50;

export class WorkerConnection {
  readonly #socket: WebSocket;
  readonly #about: WorkerAbout;
  readonly #clock: Clock;
  readonly #connectedMs: number;
  /** By the time of day, to be shown; silence is measured by the monotonic clock. */
  #heardMs: number;
  #heardAt: number;
  #pings = 0;
  #waiting = { bytes: 0, sinceMs: 0 };

  /** @param onFrame hears what the worker says, but for heartbeats, until the connection is closed from here or there */
  constructor(socket: WebSocket, about: WorkerAbout, clock: Clock, onFrame: (frame: FromWorker) => void) {
    this.#socket = socket;
    this.#about = about;
    this.#clock = clock;
    this.#connectedMs = clock.now();
    this.#heardMs = this.#connectedMs;
    this.#heardAt = clock.monotonic();
    socket.on('message', (data, isBinary) => this.#read(data, isBinary, onFrame));
    socket.on('ping', (data) => this.#answerPing(data));
    // A frame that breaks the protocol: the library closes with the code that says how.
    socket.on('error', () => {});
  }

  get status(): WorkerStatus {
    const [connected_at, last_heard_at] = [this.#connectedMs, this.#heardMs].map((ms) => new Date(ms).toISOString()) as [string, string];
    return { ...this.#about, connected_at, last_heard_at };
  }

  /** Whether it reads what it is sent. */
  get keepsUp(): boolean {
    return this.#socket.bufferedAmount <= waitingBytesMax;
  }

  /** Says nothing where nobody listens any more. @param text of at most `frameBytesMax` */
  send(frame: FromGateway, text = JSON.stringify(frame)): void {
    if (this.isOpen) this.#socket.send(text);
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  /** To be called every second or so: cuts a worker that was not heard of, or does not read. */
  checkTimeouts(): void {
    const now = this.#clock.monotonic();
    this.#pings = 0;
    const bytes = this.#socket.bufferedAmount;
    if (bytes === 0 || bytes < this.#waiting.bytes || this.#waiting.bytes === 0) this.#waiting = { bytes, sinceMs: now };
    if (now - this.#heardAt > silenceMaxMs) this.close(1000, 'Heartbeat missed');
    else if (bytes > 0 && now - this.#waiting.sinceMs > stallMaxMs) this.close(1013, 'Reads too slowly');
  }

  /** False from the moment that either end has begun to close it. */
  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  get #hearsAnswers(): boolean {
    return this.#socket.bufferedAmount <= unansweredBytesMax;
  }

  #read(data: RawData, isBinary: boolean, onFrame: (frame: FromWorker) => void): void {
    if (!this.isOpen) return;
    this.#heardMs = this.#clock.now();
    this.#heardAt = this.#clock.monotonic();
    const frame = isBinary ? null : readFrame(fromWorker, data.toString());
    if (frame?.type === 'heartbeat') {
      if (this.#hearsAnswers) this.send({ type: 'heartbeat-ack', timestamp: new Date(this.#heardMs).toISOString() });
    } else if (frame) onFrame(frame);
  }

  #answerPing(data: Buffer): void {
    if (++this.#pings > pingsMax) this.close(1008, 'Too many pings');
    else if (this.isOpen && this.#hearsAnswers) this.#socket.pong(data);
  }
}

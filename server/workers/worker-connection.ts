/**
 * Socket of one worker. The other end is untrusted: only valid frames are accepted, and nothing more is sent while the worker does not read.
 */
import type { RawData, WebSocket } from 'ws';
import { type FromGateway, type FromWorker, fromWorker, readFrame } from '../../shared/worker-frames.ts';
import type { Clock } from '../platform/clock.ts';
import type { WorkerAbout, WorkerStatus } from './connection-registry.ts';

/** docs/reference/jobs.md#connections. */
const silenceMaxMs = 90_000;
/** The send buffer has not shrunk for this long: the worker does not read. */
const stallMaxMs = 5_000;
/** A worker with more than this in its send buffer gets no jobs. */
const unreadBytesMax = 64 * 1024;
/** With more than this it gets no answers to heartbeats and pings: in the buffer, each takes more memory than its payload. */
const unansweredBytesMax = 4 * 1024;
/** Limit of one frame, in both directions. */
export const frameBytesMax = 1024 * 1024;
/** Between two timeout checks. The old client sends none. */
const pingsMax = 50;

export class WorkerConnection {
  readonly #socket: WebSocket;
  readonly #about: WorkerAbout;
  readonly #clock: Clock;
  readonly #connectedMs: number;
  /** Time of the last frame by the wall clock, for display. */
  #lastFrameMs: number;
  /** The same by the monotonic clock, to measure silence. */
  #lastFrameMonotonicMs: number;
  #pings = 0;
  #unread = { bytes: 0, sinceMs: 0 };

  /** @param onFrame receives the worker's frames, except heartbeats, until either end closes the connection */
  constructor(socket: WebSocket, about: WorkerAbout, clock: Clock, onFrame: (frame: FromWorker) => void) {
    this.#socket = socket;
    this.#about = about;
    this.#clock = clock;
    this.#connectedMs = clock.now();
    this.#lastFrameMs = this.#connectedMs;
    this.#lastFrameMonotonicMs = clock.monotonic();
    socket.on('message', (data, isBinary) => this.#read(data, isBinary, onFrame));
    socket.on('ping', (data) => this.#answerPing(data));
    // A frame that breaks the protocol: the library closes the connection with the right code.
    socket.on('error', () => {});
  }

  get status(): WorkerStatus {
    const [connected_at, last_heard_at] = [this.#connectedMs, this.#lastFrameMs].map((ms) => new Date(ms).toISOString()) as [
      string,
      string,
    ];
    return { ...this.#about, connected_at, last_heard_at };
  }

  /** Whether it reads what is sent to it. */
  get isReading(): boolean {
    return this.#socket.bufferedAmount <= unreadBytesMax;
  }

  /** Does nothing when the connection is closing. @param frame or its text, of at most `frameBytesMax` */
  send(frame: FromGateway | string): void {
    if (this.isOpen) this.#socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  /** To be called every second or so: disconnects a worker that is silent, or does not read. */
  checkTimeouts(): void {
    const now = this.#clock.monotonic();
    this.#pings = 0;
    const bytes = this.#socket.bufferedAmount;
    if (bytes === 0 || bytes < this.#unread.bytes || this.#unread.bytes === 0) this.#unread = { bytes, sinceMs: now };
    if (now - this.#lastFrameMonotonicMs > silenceMaxMs) this.close(1000, 'Heartbeat missed');
    else if (bytes > 0 && now - this.#unread.sinceMs > stallMaxMs) this.close(1013, 'Reads too slowly');
  }

  /** False as soon as either end has begun to close it. */
  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  get #canAnswer(): boolean {
    return this.#socket.bufferedAmount <= unansweredBytesMax;
  }

  #read(data: RawData, isBinary: boolean, onFrame: (frame: FromWorker) => void): void {
    if (!this.isOpen) return;
    this.#lastFrameMs = this.#clock.now();
    this.#lastFrameMonotonicMs = this.#clock.monotonic();
    const frame = isBinary ? null : readFrame(fromWorker, data.toString());
    if (frame?.type === 'heartbeat') {
      if (this.#canAnswer) this.send({ type: 'heartbeat-ack', timestamp: new Date(this.#lastFrameMs).toISOString() });
    } else if (frame) onFrame(frame);
  }

  #answerPing(data: Buffer): void {
    if (++this.#pings > pingsMax) this.close(1008, 'Too many pings');
    else if (this.isOpen && this.#canAnswer) this.#socket.pong(data);
  }
}

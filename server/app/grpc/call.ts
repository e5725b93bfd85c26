/** One gRPC call: reads, answers and ends it. Every call ends with a status, or its stream is closed. */
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { constants } from 'node:http2';
import type { Socket } from 'node:net';
import { Failure } from '../fail.ts';
import type { Answer } from '../module.ts';
import { grpcCode, grpcCodeOf, messageOf, retryStatus } from '../otlp-status.ts';
import type { RouteResponse } from '../route-request.ts';
import { CallRefusal } from './call-refusal.ts';
import { CallRequest } from './call-request.ts';

/** Limits for the arrival of the message, as for HTTP requests, and for the delivery of the answer. */
const messageMs = 30_000;
const deliveryMs = 10_000;
const unitMs: Record<string, number> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };
/** Longer timeouts are cut to this. gRPC allows more than Node's timers do, and no caller waits a day. */
const timeoutMsMax = 24 * 3_600_000;

export class Call implements RouteResponse {
  readonly request: CallRequest;
  statusCode = 200;
  readonly #stream: ServerHttp2Stream;
  readonly #headers: Record<string, string> = {};
  readonly #timers: NodeJS.Timeout[] = [];
  #isAnswered = false;

  constructor(socket: Socket, stream: ServerHttp2Stream, headers: IncomingHttpHeaders) {
    this.#stream = stream;
    // A stream that fails is closed, which is handled below.
    stream.on('error', () => {});
    this.request = new CallRequest(socket, stream, headers);
    this.#after(messageMs, () => {
      if (this.request.complete) return;
      this.fail(new CallRefusal(grpcCode.DEADLINE_EXCEEDED, `The message did not arrive within ${messageMs / 1000} seconds`));
    });
    stream.once('close', () => this.#timers.forEach(clearTimeout));
  }

  get closed(): boolean {
    return this.#stream.closed;
  }

  get destroyed(): boolean {
    return this.#stream.destroyed;
  }

  get writableFinished(): boolean {
    return this.#stream.writableFinished;
  }

  once(event: 'close', listener: () => void): this {
    this.#stream.once(event, listener);
    return this;
  }

  /** Sent as metadata. */
  setHeader(name: string, value: string | number): void {
    this.#headers[name.toLowerCase()] = String(value);
  }

  /** Starts the deadline of the caller. A span stored after it is a duplicate when it is sent again. */
  startDeadline(): void {
    const sent = this.request.headers['grpc-timeout'];
    if (sent === undefined) return;
    const [, count, unit = ''] = /^(\d{1,8})([HMSmun])$/.exec(String(sent)) ?? [];
    if (count === undefined) throw new CallRefusal(grpcCode.INTERNAL, 'grpc-timeout is not a valid duration');
    const ms = Math.min(Number(count) * (unitMs[unit] ?? 1), timeoutMsMax);
    this.#after(ms, () => this.fail(new CallRefusal(grpcCode.DEADLINE_EXCEEDED, 'Deadline exceeded')));
  }

  succeed({ body, headers }: Answer): void {
    if (!this.#beginAnswer()) return;
    const message = body as Uint8Array;
    const prefix = Buffer.alloc(5);
    prefix.writeUInt32BE(message.length, 1);
    this.#stream.once('wantTrailers', () => this.#stream.sendTrailers({ 'grpc-status': String(grpcCode.OK) }));
    for (const [name, value] of Object.entries(headers)) this.setHeader(name, String(value));
    this.#stream.respond(this.#head(), { waitForTrailers: true });
    this.#stream.end(Buffer.concat([prefix, message]));
    this.#closeAfterDelivery();
  }

  fail(error: Failure | CallRefusal): void {
    if (!this.#beginAnswer()) return;
    this.request.stop(error);
    const isFailure = error instanceof Failure;
    const trailers: Record<string, string> = {
      'grpc-status': String(isFailure ? grpcCodeOf(error) : error.code),
      'grpc-message': escaped(isFailure ? messageOf(error) : error.message),
    };
    if (isFailure && error.retryAfterSeconds !== null)
      trailers['grpc-status-details-bin'] = Buffer.from(retryStatus(error, error.retryAfterSeconds)).toString('base64').replace(/=+$/, '');
    this.#stream.respond({ ...this.#head(), ...trailers }, { endStream: true });
    this.#closeAfterDelivery();
  }

  /** For requests that are not gRPC calls. @param status HTTP status */
  refuse(status: number): void {
    if (!this.#beginAnswer()) return;
    this.request.stop(new CallRefusal(grpcCode.INTERNAL, 'Not a gRPC call'));
    this.#stream.respond({ ':status': status }, { endStream: true });
    this.#closeAfterDelivery();
  }

  /** False when the call has its answer, or its stream is closed. */
  #beginAnswer(): boolean {
    if (this.#isAnswered || this.#stream.closed || this.#stream.destroyed) return false;
    this.#isAnswered = true;
    return true;
  }

  #head() {
    return { ':status': 200, ...this.#headers, 'content-type': 'application/grpc+proto', 'grpc-accept-encoding': 'identity,gzip' };
  }

  /** Waits neither for the rest of an unread message nor for a peer that does not read its answer. */
  #closeAfterDelivery(): void {
    if (!this.request.complete) this.#stream.close(constants.NGHTTP2_NO_ERROR);
    this.#after(deliveryMs, () => this.#stream.close(constants.NGHTTP2_CANCEL));
  }

  #after(ms: number, work: () => void): void {
    this.#timers.push(setTimeout(work, ms).unref());
  }
}

/** Percent-encoding for headers: everything but printable ASCII, and `%` itself. */
const escaped = (message: string): string =>
  Buffer.from(message.slice(0, 1000).toWellFormed())
    .toString('latin1')
    .replace(/[^\x20-\x24\x26-\x7e]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

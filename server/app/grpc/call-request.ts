/**
 * Presents a unary gRPC call as a request of its route: the message is the body, in protobuf, and the metadata are the headers.
 * Authentication, admission and the ingest log then work as for HTTP.
 */
import { IncomingMessage } from 'node:http';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { otlpLimits } from '../../ingest/otlp/limits.ts';
import { Failure } from '../fail.ts';
import { grpcCode } from '../otlp-status.ts';
import { CallRefusal } from './call-refusal.ts';

/** Before each message: whether it is compressed, and its length as four bytes. */
const prefixBytes = 5;
/**
 * Bytes of a message that must arrive before its call is admitted, because one connection may announce a hundred large messages and send
 * nothing. Less than what is buffered before the stream is paused.
 */
const admissionBytes = 8 * 1024;
const encodings = new Set(['identity', 'gzip']);

export class CallRequest extends IncomingMessage {
  readonly params = {};
  readonly originalUrl: string;
  /** Resolves when enough of the message has arrived, with its announced length in the headers. Rejects when the call ends earlier. */
  readonly ready: Promise<void>;
  readonly #stream: ServerHttp2Stream;
  readonly #encoding: string;
  readonly #readiness: PromiseWithResolvers<void>;
  #prefix = Buffer.alloc(0);
  /** Missing bytes of the message; null before its prefix. */
  #missing: number | null = null;
  #length = 0;
  #isOver = false;

  constructor(socket: Socket, stream: ServerHttp2Stream, sent: IncomingHttpHeaders) {
    super(socket);
    this.#stream = stream;
    const { ':path': path = '', ':method': method, ':authority': authority, ':scheme': _, ...headers } = sent;
    this.method = String(method);
    this.url = String(path);
    this.originalUrl = this.url;
    this.#encoding = String(headers['grpc-encoding'] ?? 'identity').toLowerCase();
    this.headers = { ...headers, ...(authority === undefined ? {} : { host: String(authority) }) };
    this.rawHeaders = Object.entries(this.headers).flatMap(([name, value]) => [name, String(value)]);
    this.#readiness = Promise.withResolvers();
    this.ready = this.#readiness.promise;
    // Calls that are refused earlier do not await it.
    this.ready.catch(() => {});
    this.on('error', () => {});
    stream.on('data', (chunk: Buffer) => this.#take(chunk));
    stream.once('end', () => this.#end());
    stream.once('close', () => this.stop(connectionReset()));
  }

  override _read(): void {
    if (!this.#isOver) this.#stream.resume();
  }

  /** Unlike Node's own, leaves the socket open: other calls use it. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    done(error);
  }

  /** Drops the rest. The reader of the body gets the error. */
  stop(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#readiness.reject(error);
    this.destroy(error);
    this.#stream.resume();
  }

  #take(chunk: Buffer): void {
    if (this.#isOver) return;
    let rest = chunk;
    if (this.#missing === null) {
      const missingPrefix = prefixBytes - this.#prefix.length;
      this.#prefix = Buffer.concat([this.#prefix, chunk.subarray(0, missingPrefix)]);
      rest = chunk.subarray(missingPrefix);
      if (this.#prefix.length < prefixBytes || !this.#readPrefix()) return;
    }
    const missing = (this.#missing ?? 0) - rest.length;
    if (missing < 0) {
      this.stop(new Failure('invalid_request_body', 'The call contains more than the announced message'));
      return;
    }
    this.#missing = missing;
    if (rest.length > 0 && !this.push(rest)) this.#stream.pause();
    if (this.#length - missing >= Math.min(this.#length, admissionBytes)) this.#readiness.resolve();
  }

  /** @returns whether the message can be read */
  #readPrefix(): boolean {
    const flag = this.#prefix[0];
    const length = this.#prefix.readUInt32BE(1);
    const refusal = this.#refusalOf(flag);
    if (refusal) {
      this.stop(refusal);
      return false;
    }
    this.#missing = length;
    this.#length = length;
    this.headers['content-type'] = 'application/x-protobuf';
    this.headers['content-length'] = String(length);
    this.headers['content-encoding'] = flag === 1 ? 'gzip' : 'identity';
    // A message that is too long is refused before it is sent.
    if (length > otlpLimits.bodyBytesMax) this.#readiness.resolve();
    return true;
  }

  #refusalOf(flag: number | undefined): CallRefusal | null {
    if (flag !== 0 && flag !== 1) return new CallRefusal(grpcCode.INTERNAL, 'Not a valid gRPC message');
    if (!encodings.has(this.#encoding))
      return new CallRefusal(grpcCode.UNIMPLEMENTED, `grpc-encoding must be gzip or identity, not ${this.#encoding}`);
    if (flag === 1 && this.#encoding === 'identity')
      return new CallRefusal(grpcCode.INTERNAL, 'The message is compressed, but grpc-encoding is missing');
    return null;
  }

  #end(): void {
    if (this.#isOver) return;
    if (this.#missing !== 0) {
      this.stop(new Failure('invalid_request_body', 'The call ended before the whole message arrived'));
      return;
    }
    this.#isOver = true;
    this.complete = true;
    this.push(null);
  }
}

/** The error that the socket of an HTTP request would have. */
const connectionReset = (): Error => Object.assign(new Error('The call was interrupted'), { code: 'ECONNRESET' });

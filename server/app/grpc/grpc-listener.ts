/**
 * Listener for OTLP/gRPC: HTTP/2 without TLS on a port of its own, for the calls of the contract. Its connections and calls count towards
 * the limits of the gateway. A protocol violation or abuse costs only its own connection.
 */
import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { requestIdOf } from '../answer.ts';
import { Failure } from '../fail.ts';
import type { CallGuard } from '../guard.ts';
import { Listeners } from '../listeners.ts';
import type { Call as Perform } from '../mount.ts';
import { grpcCode } from '../otlp-status.ts';
import type { Shares } from '../shares.ts';
import { Call } from './call.ts';
import { CallRefusal } from './call-refusal.ts';
import { openSession } from './session.ts';

/** Time that a closing listener waits for pending answers. */
const lastAnswersMs = 500;
const methodPath = /^\/[\w.]+\/\w+$/;

export class GrpcListener {
  readonly #guard: CallGuard;
  readonly #shares: Shares;
  readonly #listeners: Listeners<Server>;
  /** Null before the HTTP/2 preface. */
  readonly #connections = new Map<Socket, ServerHttp2Session | null>();
  readonly #calls = new Set<Call>();
  #methods: ReadonlyMap<string, Perform> | null = null;
  #stopping = false;
  #idle: (() => void) | null = null;

  /**
   * @param guardOf makes the guard from the ports of the listener
   * @param shares limits for each caller, shared by all listeners of the gateway
   */
  constructor(guardOf: (ports: () => number[]) => CallGuard, shares: Shares) {
    this.#listeners = new Listeners(shares);
    this.#guard = guardOf(() => this.#listeners.ports);
    this.#shares = shares;
  }

  get port(): number {
    return this.#listeners.port;
  }

  /** @throws an error with code EADDRINUSE and the like when the address is not available */
  async listen(host: string, port: number): Promise<void> {
    const server = createServer({ keepAlive: true, keepAliveInitialDelay: 60_000, noDelay: true }, (socket) => this.#connect(socket));
    await this.#listeners.add(server, host, port);
  }

  /** @param methods callable methods by path */
  open(methods: ReadonlyMap<string, Perform>): void {
    this.#methods = methods;
  }

  /** How many calls wait for their answers. */
  working(): number {
    return this.#calls.size;
  }

  /** Resolves when every call has its answer. */
  async answered(): Promise<void> {
    if (this.#calls.size > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
  }

  /** Refuses new calls as unavailable; running calls continue. */
  refuseNewWork(): void {
    this.#stopping = true;
  }

  /** Lets answers in flight finish, then cuts every connection. */
  async close(): Promise<void> {
    const closed = this.#listeners.close();
    for (const session of this.#connections.values()) session?.close();
    const pending = Promise.all([...this.#calls].map((call) => new Promise<void>((resolve) => call.once('close', resolve))));
    await Promise.race([pending, after(lastAnswersMs, undefined, { ref: false })]);
    for (const [socket, session] of this.#connections) {
      session?.destroy();
      socket.destroy();
    }
    await closed;
  }

  #connect(socket: Socket): void {
    this.#connections.set(socket, null);
    socket.once('close', () => this.#connections.delete(socket));
    socket.on('error', () => socket.destroy());
    this.#shares.connections.add(socket, () => this.#closeConnection(socket));
    socket.once('readable', () => {
      const session = openSession(socket, this.port, (stream, headers) => this.#accept(new Call(socket, stream, headers), socket, stream));
      if (session) this.#connections.set(socket, session);
    });
  }

  /** Calls that arrive meanwhile are refused, and exporters retry on a new connection. */
  #closeConnection(socket: Socket): void {
    const session = this.#connections.get(socket);
    if (session) session.close();
    else socket.destroy();
  }

  #accept(call: Call, socket: Socket, stream: ServerHttp2Stream): void {
    const { connections } = this.#shares;
    const hasRoom = connections.begin(socket);
    this.#calls.add(call);
    stream.once('close', () => {
      connections.end(socket);
      this.#calls.delete(call);
      if (this.#calls.size === 0) this.#idle?.();
    });
    void this.#answer(call, hasRoom).catch((error: unknown) => {
      call.fail(error instanceof CallRefusal || error instanceof Failure ? error : new Failure('internal_error', 'The call failed'));
    });
  }

  async #answer(call: Call, hasRoom: boolean): Promise<void> {
    const { request } = call;
    const { method, headers, url = '' } = request;
    const refusal = this.#guard(request);
    if (refusal) throw refusal;
    if (method !== 'POST') return call.refuse(405);
    if (!/^application\/grpc(?:$|[+;])/.test(headers['content-type'] ?? '')) return call.refuse(415);
    const perform = this.#methods?.get(url);
    if (this.#methods && !perform) throw new CallRefusal(grpcCode.UNIMPLEMENTED, unknownMethod(url));
    const overload = this.#shares.enter(request, call, hasRoom);
    if (overload) throw overload;
    if (!perform || this.#stopping)
      throw new Failure('service_unavailable', this.#stopping ? 'The gateway is shutting down' : 'The gateway is starting', {}, 1);
    call.setHeader('X-Request-Id', requestIdOf(request));
    call.startDeadline();
    await request.ready;
    call.succeed(await perform(request, call));
  }
}

const unknownMethod = (path: string): string =>
  methodPath.test(path) ? `This port takes OTLP and has no ${path}` : 'This port takes OTLP and has no such method';

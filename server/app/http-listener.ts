/**
 * HTTP listener of a gateway: passes requests through the guard to the application, and answers "starting" until there is one.
 * It opens its port before the store, so that the window appears while a large store still opens.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { endAfterBody } from './end-after-body.ts';
import { Failure } from './fail.ts';
import type { Guard } from './guard.ts';
import { Listeners } from './listeners.ts';
import { isProtobuf, statusMessage } from './otlp-status.ts';
import type { Shares } from './shares.ts';
import { asRequest, wantsSocket } from './socket.ts';

/** Slow senders must not hold sockets, and headers are small. Milliseconds and bytes. */
const socketLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
  connectionsCheckingInterval: 2_000,
};
const headersMax = 100;
/** Time that a closing listener waits for pending answers. */
const lastAnswersMs = 500;

export class HttpListener {
  readonly #guard: Guard;
  readonly #shares: Shares;
  readonly #listeners: Listeners<Server>;
  #application: RequestListener | null = null;
  #stopping = false;
  readonly #answering = new Set<ServerResponse>();
  /** Upgraded connections, which Node no longer tracks. */
  readonly #upgraded = new Set<Duplex>();

  /**
   * @param guardOf makes the guard from the ports of the listener
   * @param shares limits for each caller, shared by all listeners of the gateway
   */
  constructor(guardOf: (ports: () => number[]) => Guard, shares: Shares) {
    this.#listeners = new Listeners(shares);
    this.#guard = guardOf(() => this.#listeners.ports);
    this.#shares = shares;
  }

  get port(): number {
    return this.#listeners.port;
  }

  /** @throws an error with code EADDRINUSE and the like when the address is not available */
  async listen(host: string, port: number): Promise<void> {
    const server = createServer({ ...socketLimits, shouldUpgradeCallback: wantsSocket }, (request, response) =>
      this.#handle(request, response),
    );
    server.on('connection', (socket) => this.#shares.connections.add(socket));
    server.on('upgrade', (request, socket, head) => {
      this.#upgraded.add(socket);
      // An upgraded connection is never idle again, even when the upgrade is refused.
      this.#shares.connections.begin(request.socket);
      socket.once('close', () => this.#upgraded.delete(socket));
      asRequest(request, socket, head, (upgrade, response) => this.#handle(upgrade, response));
    });
    server.maxHeadersCount = headersMax;
    await this.#listeners.add(server, host, port);
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const { connections } = this.#shares;
    const { socket } = request;
    const hasRoom = connections.begin(socket);
    response.once('close', () => connections.end(socket));
    if (this.#guard(request, response) !== 'pass') return;
    this.#answering.add(response);
    response.once('close', () => this.#answering.delete(response));
    const overload = this.#shares.enter(request, response, hasRoom);
    if (overload) {
      refuse(request, response, overload);
      return;
    }
    if (this.#stopping) response.setHeader('Connection', 'close');
    const isNew = request.method === 'POST' || wantsSocket(request);
    if (this.#application && !(this.#stopping && isNew)) this.#application(request, response);
    else refuse(request, response, unavailable(this.#stopping ? 'The gateway is shutting down' : 'The gateway is starting'));
  }

  open(application: RequestListener): void {
    this.#application = application;
  }

  /** How many requests wait for their answers; streams that stay open do not count. */
  working(): number {
    return this.#pendingAnswers().length;
  }

  /** Resolves when every request that has arrived to its end until now is answered; streams that stay open do not count. */
  async answered(): Promise<void> {
    // Requests that arrive meanwhile do not prolong it.
    const arrived = new Set(this.#answering);
    const pending = () =>
      this.#pendingAnswers().filter((response) => arrived.has(response) && response.req.complete && !wantsSocket(response.req));
    for (let waiting = pending(); waiting.length > 0; waiting = pending())
      await Promise.all(waiting.map((response) => new Promise((resolve) => response.once('close', resolve))));
  }

  #pendingAnswers(): ServerResponse[] {
    return [...this.#answering].filter((response) => !isStreaming(response));
  }

  /** Refuses new requests as unavailable; running ones continue. */
  refuseNewWork(): void {
    this.#stopping = true;
  }

  /** Lets answers in flight finish, then cuts every connection, including live streams and half-sent requests. */
  async close(): Promise<void> {
    const closed = this.#listeners.close();
    await this.#lastAnswers();
    for (const server of this.#listeners.servers) server.closeAllConnections();
    for (const socket of this.#upgraded) socket.destroy();
    await closed;
  }

  async #lastAnswers(): Promise<void> {
    const pending = this.#pendingAnswers();
    if (pending.length === 0) return;
    const timeout = AbortSignal.timeout(lastAnswersMs);
    await Promise.allSettled(pending.map((response) => once(response, 'close', { signal: timeout })));
  }
}

/** Started answers without an end, such as event streams. */
const isStreaming = (response: ServerResponse): boolean => response.headersSent && !response.writableEnded;

const unavailable = (message: string): Failure => new Failure('service_unavailable', message, {}, 1);

function refuse(request: IncomingMessage, response: ServerResponse, failure: Failure): void {
  const protobuf = isProtobuf(request);
  const body = Buffer.from(protobuf ? statusMessage(failure) : JSON.stringify(failure.body()));
  response.writeHead(failure.status, {
    'Content-Type': protobuf ? 'application/x-protobuf' : 'application/json; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    'Retry-After': String(failure.retryAfterSeconds),
    Connection: 'close',
  });
  response.write(body);
  endAfterBody(request, response);
}

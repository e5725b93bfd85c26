/**
 * What a gateway's sockets meet first: the guard, then the application, or "starting" while there is none yet.
 * The port is taken before the store is opened, so that a window can be shown while a large store is still warming up.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
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
/** How long a sender may go on with a body that nobody reads: whoever is cut off while they send never sees why. */
const lingerMs = 2_000;
/** How long a closing server waits for answers that are ready to leave. */
const lastAnswersMs = 500;

export class Front {
  readonly #guard: Guard;
  readonly #shares: Shares;
  readonly #listeners: Listeners<Server>;
  #application: RequestListener | null = null;
  #stopping = false;
  readonly #answering = new Set<ServerResponse>();
  /** Connections that are no HTTP any more, or are about to be none: Node has let go of them. */
  readonly #upgraded = new Set<Duplex>();

  /**
   * @param guardOf makes the guard, which asks for the ports of the front
   * @param shares how much of the gateway one caller may hold; fronts of one gateway have theirs in common
   */
  constructor(guardOf: (ports: () => number[]) => Guard, shares: Shares) {
    this.#listeners = new Listeners(shares);
    this.#guard = guardOf(() => this.#listeners.ports);
    this.#shares = shares;
  }

  get port(): number {
    return this.#listeners.port;
  }

  /** @throws an error with code EADDRINUSE and the like when the address cannot be had */
  async listen(host: string, port: number): Promise<void> {
    const server = createServer({ ...socketLimits, shouldUpgradeCallback: wantsSocket }, (request, response) =>
      this.#take(request, response),
    );
    server.on('connection', (socket) => this.#shares.connections.add(socket));
    server.on('upgrade', (request, socket, head) => {
      this.#upgraded.add(socket);
      // It is never idle again, whether it becomes a WebSocket or is refused.
      this.#shares.connections.begin(request.socket);
      socket.once('close', () => this.#upgraded.delete(socket));
      asRequest(request, socket, head, (asked, response) => this.#take(asked, response));
    });
    server.maxHeadersCount = headersMax;
    await this.#listeners.add(server, host, port);
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const { connections } = this.#shares;
    const { socket } = request;
    const hasRoom = connections.begin(socket);
    response.once('close', () => connections.end(socket));
    if (this.#guard(request, response) !== 'pass') return;
    this.#answering.add(response);
    response.once('close', () => this.#answering.delete(response));
    const full = this.#shares.enter(request, response, hasRoom);
    if (full) {
      refuse(request, response, full);
      return;
    }
    if (this.#stopping) response.setHeader('Connection', 'close');
    const isNew = request.method === 'POST' || wantsSocket(request);
    if (this.#application && !(this.#stopping && isNew)) this.#application(request, response);
    else refuse(request, response, comeBack(this.#stopping ? 'The gateway is shutting down' : 'The gateway is starting'));
  }

  open(application: RequestListener): void {
    this.#application = application;
  }

  /** How many requests wait for their answers; streams that stay open do not count. */
  working(): number {
    return this.#leaving().length;
  }

  #leaving(): ServerResponse[] {
    return [...this.#answering].filter((response) => !isStreaming(response));
  }

  /** New work is told to come back; what is running goes on. */
  refuseNewWork(): void {
    this.#stopping = true;
  }

  /** Answers that are on their way leave first; then every connection is cut, live streams and half-sent requests too. */
  async close(): Promise<void> {
    const closed = this.#listeners.close();
    await this.#lastAnswers();
    for (const server of this.#listeners.servers) server.closeAllConnections();
    for (const socket of this.#upgraded) socket.destroy();
    await closed;
  }

  async #lastAnswers(): Promise<void> {
    const leaving = this.#leaving();
    if (leaving.length === 0) return;
    const patience = AbortSignal.timeout(lastAnswersMs);
    await Promise.allSettled(leaving.map((response) => once(response, 'close', { signal: patience })));
  }
}

/** It has begun and does not end by itself. */
const isStreaming = (response: ServerResponse): boolean => response.headersSent && !response.writableEnded;

const comeBack = (message: string): Failure => new Failure('service_unavailable', message, {}, 1);

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
  // Node closes the connection with the answer, and a connection closed before its input was read takes the answer along.
  const end = () => void response.end();
  const timer = setTimeout(end, lingerMs);
  response.once('close', () => clearTimeout(timer));
  request.once('end', end).once('close', end).resume();
}

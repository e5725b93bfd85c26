/** Spreads requests over the gateways of a cluster, as a load balancer would: in turn, leaving out those that do not answer. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse, request as send } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const host = '127.0.0.1';
/** The request never reached the gateway, so that another one may have it. */
const notConnected = new Set(['ECONNREFUSED', 'ECONNRESET']);

export class RoundRobin {
  readonly #server: Server;
  #ports: readonly number[] = [];
  #next = 0;
  /** Requests that wait for their answers, by port. */
  readonly #waiting = new Map<number, Set<Promise<void>>>();

  constructor() {
    this.#server = createServer((request, response) => this.#forward(request, response, this.#ports.length));
    this.#server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => this.#upgrade(request, socket, head));
    // A stream stays open as long as the gateway lets it.
    this.#server.requestTimeout = 0;
  }

  /** Ports on this machine, from now on. */
  use(ports: readonly number[]): void {
    this.#ports = ports;
  }

  /** Resolves when the gateway has answered all that it was sent, or after the time; streams that stay open do not count. */
  async answered(port: number, limitMs: number): Promise<void> {
    const late = new AbortController();
    await Promise.race([Promise.all(this.#waiting.get(port) ?? []), sleep(limitMs, undefined, { signal: late.signal }).catch(() => {})]);
    late.abort();
  }

  /** @param port 0 for any free one @returns the port */
  async listen(port: number): Promise<number> {
    await once(this.#server.listen(port, host), 'listening');
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : port;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }

  #turn(): number {
    const port = this.#ports[this.#next % this.#ports.length] ?? 0;
    this.#next = (this.#next + 1) % Math.max(1, this.#ports.length);
    return port;
  }

  /** Of a request that a gateway is sent. @returns ends the wait for its answer */
  #note(port: number, response: ServerResponse): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = this.#waiting.get(port) ?? new Set();
    this.#waiting.set(port, waiting.add(promise));
    const end = () => {
      waiting.delete(promise);
      resolve();
    };
    response.once('close', end);
    return end;
  }

  #forward(request: IncomingMessage, response: ServerResponse, triesLeft: number): void {
    const { method, url, headers } = request;
    const port = this.#turn();
    const ended = this.#note(port, response);
    const forwarded = send({
      host,
      port,
      agent: false,
      method,
      path: url,
      headers: { ...headers, [addressHeader]: addressesOf(request) },
    });
    let isConnected = false;
    forwarded.on('socket', (socket) => socket.once('connect', () => (isConnected = true)));
    forwarded.on('response', (answer) => {
      if (answer.headers['content-type']?.startsWith('text/event-stream')) ended();
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      // A stream may have nothing to say for a while.
      response.flushHeaders();
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    forwarded.on('error', (error: NodeJS.ErrnoException) => {
      if (response.headersSent || response.destroyed) return response.destroy();
      if (!isConnected && notConnected.has(error.code ?? '') && triesLeft > 1) {
        ended();
        return this.#forward(request, response, triesLeft - 1);
      }
      response.writeHead(503, { 'retry-after': '1', 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { code: 'service_unavailable', message: 'No gateway of the cluster answers' } }));
    });
    response.on('close', () => forwarded.destroy());
    // Only once it is connected, because a consumed body cannot be sent to another gateway.
    forwarded.on('socket', (socket) => {
      if (socket.connecting) socket.once('connect', () => request.pipe(forwarded));
      else request.pipe(forwarded);
    });
    forwarded.flushHeaders();
  }

  #upgrade(request: IncomingMessage, client: Socket, head: Buffer): void {
    const gateway = connect(this.#turn(), host, () => {
      const lines = [`${request.method} ${request.url} HTTP/1.1`];
      const { rawHeaders } = request;
      for (let at = 0; at < rawHeaders.length; at += 2)
        if (rawHeaders[at]?.toLowerCase() !== addressHeader) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
      lines.push(`${addressHeader}: ${addressesOf(request)}`);
      gateway.write(`${lines.join('\r\n')}\r\n\r\n`);
      gateway.write(head);
      gateway.pipe(client);
      client.pipe(gateway);
    });
    for (const [one, other] of [
      [gateway, client],
      [client, gateway],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
  }
}

const addressHeader = 'x-forwarded-for';

/** Those that the client names, which may be false, and its own. */
const addressesOf = ({ socket, headers }: IncomingMessage): string =>
  [headers[addressHeader], socket.remoteAddress].filter(Boolean).join(', ');

/** Listening sockets of a listener, with its regular check of idle connections. */
import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Shares } from './shares.ts';

const checkEveryMs = 1_000;

export class Listeners<S extends Server> {
  readonly servers: S[] = [];
  readonly #shares: Shares;
  /** Runs while connections are open: an idle gateway sleeps. */
  #checks: NodeJS.Timeout | null = null;
  #openConnections = 0;

  /** @param shares limits for each caller, shared by all listeners of the gateway */
  constructor(shares: Shares) {
    this.#shares = shares;
  }

  /** Port of the first socket. */
  get port(): number {
    return portOf(this.servers[0] as S);
  }

  get ports(): number[] {
    return this.servers.map(portOf);
  }

  /** @throws an error with code EADDRINUSE and the like when the address is not available */
  async add(server: S, host: string, port: number): Promise<void> {
    server.on('connection', (socket) => this.#opened(socket));
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    this.servers.push(server);
  }

  /** Stops accepting connections. Resolves when the last one is closed. */
  close(): Promise<unknown> {
    const closed = Promise.all(this.servers.map((server) => once(server, 'close')));
    for (const server of this.servers) server.close();
    return closed;
  }

  #opened(socket: Socket): void {
    this.#openConnections++;
    this.#checks ??= setInterval(() => this.#shares.connections.checkTimeouts(), checkEveryMs).unref();
    socket.once('close', () => {
      if (--this.#openConnections > 0 || !this.#checks) return;
      clearInterval(this.#checks);
      this.#checks = null;
    });
  }
}

const portOf = (server: Server): number => (server.address() as AddressInfo | null)?.port ?? 0;

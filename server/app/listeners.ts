/** Listening sockets of a listener, with its regular check of idle connections. */
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import type { Shares } from './shares.ts';

const checkEveryMs = 1_000;

export class Listeners<S extends Server> {
  readonly servers: S[] = [];
  readonly #checks: NodeJS.Timeout;

  /** @param shares limits for each caller, shared by all listeners of the gateway */
  constructor(shares: Shares) {
    this.#checks = setInterval(() => shares.connections.checkTimeouts(), checkEveryMs).unref();
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
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    this.servers.push(server);
  }

  /** Stops accepting connections. Resolves when the last one is closed. */
  close(): Promise<unknown> {
    clearInterval(this.#checks);
    const closed = Promise.all(this.servers.map((server) => once(server, 'close')));
    for (const server of this.servers) server.close();
    return closed;
  }
}

const portOf = (server: Server): number => (server.address() as AddressInfo | null)?.port ?? 0;

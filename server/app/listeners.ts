/** Listening sockets of a listener, with its regular check of idle connections. */
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import type { Shares } from './shares.ts';

const checkEveryMs = 1_000;

export class Listeners<S extends Server> {
  readonly servers: S[] = [];
  readonly #checks: NodeJS.Timeout;

  /** @param shares of the gateway: how much one caller may hold of it */
  constructor(shares: Shares) {
    this.#checks = setInterval(() => shares.connections.checkTimeouts(), checkEveryMs).unref();
  }

  /** Of the first. */
  get port(): number {
    return portOf(this.servers[0] as S);
  }

  get ports(): number[] {
    return this.servers.map(portOf);
  }

  /** @throws an error with code EADDRINUSE and the like when the address cannot be had */
  async add(server: S, host: string, port: number): Promise<void> {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    this.servers.push(server);
  }

  /** Takes no more connections. @returns what resolves when the last one is closed */
  close(): Promise<unknown> {
    clearInterval(this.#checks);
    const closed = Promise.all(this.servers.map((server) => once(server, 'close')));
    for (const server of this.servers) server.close();
    return closed;
  }
}

const portOf = (server: Server): number => (server.address() as AddressInfo | null)?.port ?? 0;

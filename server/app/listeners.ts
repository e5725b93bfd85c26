/** The sockets that a front listens on, and its regular look at connections that nobody uses. */
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import type { Shares } from './shares.ts';

const lookEveryMs = 1_000;

export class Listeners<S extends Server> {
  readonly servers: S[] = [];
  readonly #looking: NodeJS.Timeout;

  /** @param shares of the gateway: how much one caller may hold of it */
  constructor(shares: Shares) {
    this.#looking = setInterval(() => shares.connections.look(), lookEveryMs).unref();
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
    clearInterval(this.#looking);
    const closed = Promise.all(this.servers.map((server) => once(server, 'close')));
    for (const server of this.servers) server.close();
    return closed;
  }
}

const portOf = (server: Server): number => (server.address() as AddressInfo | null)?.port ?? 0;

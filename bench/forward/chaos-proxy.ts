/** A proxy to the cloud with the failures of real networks: a delivered request may get no response, and a failed one may be delivered later. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { type HttpAnswer, HttpClient } from '../gateway/http-client.ts';
import { Random } from '../traffic/random.ts';

/** What happens to a request, with percentages. */
const fates = {
  passed: 52,
  /** Disconnected before it is delivered. */
  dropped: 10,
  /** Disconnected after the commit, before the response arrives. */
  cut: 10,
  delayed: 8,
  doubled: 8,
  /** Answered with an error and delivered later anyway, after younger requests. */
  late: 6,
  /** Answered with a server error. */
  failed: 6,
} as const;
type Fate = keyof typeof fates;

const serverErrors = [500, 502, 503, 504] as const;

export class ChaosProxy {
  readonly counts: Record<Fate, number> = { passed: 0, dropped: 0, cut: 0, delayed: 0, doubled: 0, late: 0, failed: 0 };
  readonly #random: Random;
  readonly #cloud: HttpClient;
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #late = new Set<Promise<unknown>>();

  constructor(cloudUrl: string, seed: string) {
    this.#cloud = new HttpClient(cloudUrl, 16);
    this.#random = new Random(`chaos ${seed}`);
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when all late requests are delivered. */
  async settle(): Promise<void> {
    await Promise.all(this.#late);
  }

  async close(): Promise<void> {
    await this.settle();
    this.#server.closeAllConnections();
    this.#server.close();
    this.#cloud.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Only writes fail: the check that the destination is a cloud happens once and is passed on.
    const fate = request.method === 'POST' ? this.#pickFate() : 'passed';
    this.counts[fate]++;
    try {
      const parts: Buffer[] = [];
      for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
      const deliver = () => this.#deliver(request, Buffer.concat(parts));
      await this.#apply(fate, deliver, response);
    } catch {
      response.destroy();
    }
  }

  async #apply(fate: Fate, deliver: () => Promise<HttpAnswer>, response: ServerResponse): Promise<void> {
    if (fate === 'dropped') return void response.destroy();
    if (fate === 'failed' || fate === 'late') {
      if (fate === 'late') this.#deliverLater(deliver);
      return void response.writeHead(this.#random.pick(serverErrors), { 'Content-Type': 'text/html' }).end('<p>Error</p>');
    }
    if (fate === 'delayed') await after(this.#random.between(50, 400));
    const [{ status, body }] = await Promise.all(fate === 'doubled' ? [deliver(), deliver()] : [deliver()]);
    if (fate === 'cut') return void response.destroy();
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
  }

  #deliverLater(deliver: () => Promise<HttpAnswer>): void {
    const arrival = after(this.#random.between(200, 2_000)).then(deliver, () => {});
    this.#late.add(arrival);
    void arrival.catch(() => {}).finally(() => this.#late.delete(arrival));
  }

  #deliver({ method = 'GET', url = '/', headers }: IncomingMessage, body: Buffer): Promise<HttpAnswer> {
    const { host: _, connection: __, ...rest } = headers;
    return this.#cloud.send(method, url, rest as OutgoingHttpHeaders, body.length > 0 ? body : undefined);
  }

  #pickFate(): Fate {
    let roll = this.#random.between(0, 99);
    for (const [fate, share] of Object.entries(fates)) {
      if (roll < share) return fate as Fate;
      roll -= share;
    }
    return 'passed';
  }
}

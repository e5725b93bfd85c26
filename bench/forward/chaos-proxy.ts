/** A line to a cloud on which everything goes wrong that goes wrong on real ones: what arrives may not be answered, what is answered may not have arrived. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { type HttpAnswer, HttpClient } from '../gateway/http-client.ts';
import { Random } from '../traffic/random.ts';

/** What happens to a request, and how often of a hundred. */
const fates = {
  passed: 52,
  /** Cut before it gets there. */
  dropped: 10,
  /** Cut once it is committed, before its answer gets back. */
  cut: 10,
  delayed: 8,
  doubled: 8,
  /** Refused, and delivered later all the same, behind what was sent after it. */
  late: 6,
  /** Refused with an server error. */
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

  /** Whatever was to come late has come. */
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
    // Only what is written meets chaos: that it is a cloud at all is asked once, in peace.
    const fate = request.method === 'POST' ? this.#draw() : 'passed';
    this.counts[fate]++;
    try {
      const parts: Buffer[] = [];
      for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
      const pass = () => this.#pass(request, Buffer.concat(parts));
      await this.#meet(fate, pass, response);
    } catch {
      response.destroy();
    }
  }

  async #meet(fate: Fate, pass: () => Promise<HttpAnswer>, response: ServerResponse): Promise<void> {
    if (fate === 'dropped') return void response.destroy();
    if (fate === 'failed' || fate === 'late') {
      if (fate === 'late') this.#delayed(pass);
      return void response.writeHead(this.#random.pick(serverErrors), { 'Content-Type': 'text/html' }).end('<p>Error</p>');
    }
    if (fate === 'delayed') await after(this.#random.between(50, 400));
    const [{ status, body }] = await Promise.all(fate === 'doubled' ? [pass(), pass()] : [pass()]);
    if (fate === 'cut') return void response.destroy();
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
  }

  #delayed(pass: () => Promise<HttpAnswer>): void {
    const arrival = after(this.#random.between(200, 2_000)).then(pass, () => {});
    this.#late.add(arrival);
    void arrival.catch(() => {}).finally(() => this.#late.delete(arrival));
  }

  #pass({ method = 'GET', url = '/', headers }: IncomingMessage, body: Buffer): Promise<HttpAnswer> {
    const { host: _, connection: __, ...rest } = headers;
    return this.#cloud.send(method, url, rest as OutgoingHttpHeaders, body.length > 0 ? body : undefined);
  }

  #draw(): Fate {
    let roll = this.#random.between(0, 99);
    for (const [fate, share] of Object.entries(fates)) {
      if (roll < share) return fate as Fate;
      roll -= share;
    }
    return 'passed';
  }
}

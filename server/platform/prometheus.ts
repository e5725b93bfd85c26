/** Prometheus metrics on a port of their own: for operators, without data of tenants. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { AnsweredRequest, BackgroundWork, Observer } from './observer.ts';

/** Seconds: from a list that is served from memory to a search that runs into its limit. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export class Prometheus implements Observer {
  readonly #registry = new Registry();
  readonly #requests;
  readonly #durations;
  readonly #spans;

  constructor() {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Counter({
      name: 'glasshouse_requests_total',
      help: 'Answers by route and status',
      labelNames: ['route', 'status'],
      registers,
    });
    this.#durations = new Histogram({
      name: 'glasshouse_request_duration_seconds',
      help: 'From the first byte of a request to the last of its answer',
      labelNames: ['route'],
      buckets,
      registers,
    });
    this.#spans = new Counter({ name: 'glasshouse_spans_stored_total', help: 'Spans that were committed', registers });
  }

  stored(spans: number): void {
    this.#spans.inc(spans);
  }

  answered({ route, status, duration_ms }: AnsweredRequest): void {
    this.#requests.inc({ route, status });
    this.#durations.observe({ route }, duration_ms / 1000);
  }

  started({ instance, leases, waitingMs }: BackgroundWork): void {
    this.#gauge('glasshouse_gateway_info', 'Id of the gateway, which its leases have; always 1', 'gateway', () => [[instance, 1]]);
    this.#gauge('glasshouse_leases_held', 'Leases of background work that this gateway holds, by kind', 'kind', () => [...leases()]);
    const seconds = () => [...waitingMs()].map(([outbox, ms]) => [outbox, ms / 1000] as const);
    const help = 'How long the oldest entry of an outbox has waited since this gateway first saw it; 0 when none waits';
    this.#gauge('glasshouse_outbox_oldest_seconds', help, 'outbox', seconds);
  }

  /** @param read values by label, when they are asked for */
  #gauge(name: string, help: string, label: string, read: () => readonly (readonly [string, number])[]): void {
    const collect = function (this: Gauge): void {
      this.reset();
      for (const [value, count] of read()) this.set({ [label]: value }, count);
    };
    new Gauge({ name, help, labelNames: [label], registers: [this.#registry], collect });
  }

  /** Serves `GET /metrics`. @throws an error with code EADDRINUSE when the port is taken */
  async listen(host: string, port: number): Promise<{ port: number; close(): Promise<void> }> {
    const server = createServer(async (request, response) => {
      if (request.url !== '/metrics') {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, { 'Content-Type': this.#registry.contentType }).end(await this.#registry.metrics());
    });
    server.listen({ host, port });
    await once(server, 'listening');
    return {
      port: (server.address() as AddressInfo).port,
      close: async () => {
        server.close();
        server.closeAllConnections();
        await once(server, 'close');
      },
    };
  }
}

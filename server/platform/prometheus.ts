/** Prometheus metrics on a port of their own: for operators, without data of tenants. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { errorStatus } from '../../shared/contract/core/errors.ts';
import type { AnsweredRequest, GatewayState, Observer } from './observer.ts';
import { version } from './version.ts';

/** Seconds: from a list that is served from memory to a search that runs into its limit. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Values by label, when they are asked for. */
type Read = () => Iterable<readonly [label: string, value: number]>;

export class Prometheus implements Observer {
  readonly #registry = new Registry();
  readonly #requests;
  readonly #durations;
  readonly #spans;
  readonly #errors;

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
    this.#errors = new Counter({ name: 'glasshouse_errors_total', help: 'Answers by error code', labelNames: ['code'], registers });
    // A series that begins with its first error looks like one without any increase.
    for (const code of Object.keys(errorStatus)) this.#errors.inc({ code }, 0);
  }

  stored(spans: number): void {
    this.#spans.inc(spans);
  }

  answered({ route, status, code, duration_ms }: AnsweredRequest): void {
    this.#requests.inc({ route, status });
    this.#durations.observe({ route }, duration_ms / 1000);
    if (code !== null) this.#errors.inc({ code });
  }

  started(state: GatewayState): void {
    this.#watchWork(state);
    this.#watchLimits(state);
    this.#watchDisk(state);
  }

  #watchWork({ instance, leases, waitingMs, journalBytes, journalFailures, alertAttempts }: GatewayState): void {
    this.#gauge('glasshouse_build_info', 'Version of the gateway; always 1', 'version', () => [[version, 1]]);
    this.#gauge('glasshouse_gateway_info', 'Id of the gateway, which its leases have; always 1', 'gateway', () => [[instance, 1]]);
    this.#gauge('glasshouse_leases_held', 'Leases of background work that this gateway holds, by kind', 'kind', leases);
    const seconds = () => [...waitingMs()].map(([outbox, ms]) => [outbox, ms / 1000] as const);
    const help = 'How long the oldest entry of an outbox has waited since this gateway first saw it; 0 when none waits';
    this.#gauge('glasshouse_outbox_oldest_seconds', help, 'outbox', seconds);
    this.#value(
      'glasshouse_journal_bytes',
      'Changes that all gateways have accepted and none has stored; none without a journal',
      journalBytes,
    );
    this.#value(
      'glasshouse_journal_failures',
      'Changes that could not be applied and were set aside; none without a journal',
      journalFailures,
    );
    this.#counter('glasshouse_alert_attempts_total', 'Attempts to send a notice of an alert, by result', 'result', alertAttempts);
  }

  #watchLimits({ ingestQueue, rejectedSpans, inFlight, shareRefusals }: GatewayState): void {
    this.#value('glasshouse_ingest_queue_requests', 'Ingest requests that are admitted and not yet answered', () => ingestQueue().requests);
    this.#value('glasshouse_ingest_queue_bytes', 'What they are charged of the 64 MiB for all', () => ingestQueue().bytes);
    this.#counter('glasshouse_spans_rejected_total', 'Spans that could not be stored as they were sent', null, () => [
      ['', rejectedSpans()],
    ]);
    this.#gauge('glasshouse_in_flight', 'Open requests and streams, by pool', 'pool', inFlight);
    const help = 'Requests and streams that were refused because a pool, or the share of a caller in it, was full';
    this.#counter('glasshouse_share_refusals_total', help, 'pool', shareRefusals);
  }

  #watchDisk({ isDamaged, disk, lastBackup }: GatewayState): void {
    this.#value('glasshouse_store_damaged', '1 when damage was found in the telemetry store, else 0', () => Number(isDamaged()));
    this.#value('glasshouse_disk_free_bytes', 'Free space for the data folder', async () => (await disk()).free);
    this.#value('glasshouse_disk_size_bytes', 'Size of the file system of the data folder', async () => (await disk()).size);
    const help = 'When the last backup of the data folder was complete and verified, in seconds since 1970; none without one';
    this.#value('glasshouse_backup_timestamp_seconds', help, async () => {
      const last = await lastBackup();
      return last && Date.parse(last.finished_at) / 1000;
    });
    this.#value('glasshouse_backup_bytes', 'Size of that backup', async () => (await lastBackup())?.bytes ?? null);
  }

  #gauge(name: string, help: string, label: string, read: Read): void {
    const collect = function (this: Gauge): void {
      this.reset();
      for (const [value, count] of read()) this.set({ [label]: value }, count);
    };
    new Gauge({ name, help, labelNames: [label], registers: [this.#registry], collect });
  }

  /** A gauge without labels. @param read null for no value */
  #value(name: string, help: string, read: () => number | null | Promise<number | null>): void {
    const collect = async function (this: Gauge): Promise<void> {
      const value = await read();
      if (value === null) this.remove();
      else this.set(value);
    };
    new Gauge({ name, help, registers: [this.#registry], collect });
  }

  /** @param label null for a single value */
  #counter(name: string, help: string, label: string | null, read: Read): void {
    const collect = function (this: Counter): void {
      this.reset();
      for (const [value, count] of read()) this.inc(label === null ? {} : { [label]: value }, count);
    };
    new Counter({ name, help, labelNames: label === null ? [] : [label], registers: [this.#registry], collect });
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

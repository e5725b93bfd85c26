/**
 * The port that exporters send to when nobody set them up (OTLP/HTTP: 4318). It leads to the same ingest behind the same guard and
 * to nothing else: no reading, no viewer.
 */
import type { RequestListener } from 'node:http';
import { answerFailure } from '../app/answer.ts';
import { Failure } from '../app/fail.ts';
import { Front } from '../app/front.ts';
import type { Guard } from '../app/guard.ts';
import type { Shares } from '../app/shares.ts';
import type { Log } from '../platform/log.ts';

const otlpPaths = new Set(['/v1/traces', '/v1/logs', '/v1/metrics']);

const onlyIngest =
  (application: RequestListener, log: Log): RequestListener =>
  (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const isIngest = otlpPaths.has(path) && (request.method === 'POST' || request.method === 'OPTIONS');
    if (isIngest) application(request, response);
    else answerFailure(request, response, null, new Failure('not_found', 'This port only takes OTLP'), log);
  };

export class StandardPort {
  readonly #guardOf: (ports: () => number[]) => Guard;
  readonly #application: RequestListener;
  readonly #log: Log;
  readonly #shares: Shares;
  #front: Front | null = null;

  constructor(guardOf: (ports: () => number[]) => Guard, application: RequestListener, log: Log, shares: Shares) {
    this.#shares = shares;
    this.#guardOf = guardOf;
    this.#application = application;
    this.#log = log;
  }

  /** @returns the port it listens on. @throws an error with code EADDRINUSE and the like when the port cannot be had */
  async open(port: number): Promise<number> {
    await this.close();
    const front = new Front(this.#guardOf, this.#shares);
    await front.listen('127.0.0.1', port);
    // Clients that are told `localhost` may try ::1 first; a machine without IPv6 does not need it.
    await front.listen('::1', front.port).catch(() => {});
    front.open(onlyIngest(this.#application, this.#log));
    this.#front = front;
    return front.port;
  }

  refuseNewWork(): void {
    this.#front?.refuseNewWork();
  }

  working(): number {
    return this.#front?.working() ?? 0;
  }

  async close(): Promise<null> {
    const front = this.#front;
    this.#front = null;
    await front?.close();
    return null;
  }
}

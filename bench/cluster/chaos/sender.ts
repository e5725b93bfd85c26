/** Sends spans to a fleet as exporters do: repeats what was not acknowledged, and now and then what was. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bootstrapped } from '../../../server/entry/bootstrap.ts';
import { aRequest } from '../../../shared/fixtures/otlp.ts';

import { Random } from '../../traffic/random.ts';
import type { Ledger } from './ledger.ts';
import { Traffic, type TrafficSpan } from './traffic.ts';

export interface SendOptions {
  /** Where each request goes. */
  url(): string;
  apps: readonly Bootstrapped[];
  ledger: Ledger;
  seed: string;
  /** Spans in all; it ends then, or when it is stopped. */
  spans?: number;
  /** Spans a second of all lanes; as fast as they are acknowledged when absent. */
  rate?: number;
  spansPerRequest?: number;
  timeoutMs?: number;
  /** Share of the spans whose text is stored as a blob. */
  largeTexts?: number;
}

export interface Answer {
  /** 0 when there was none. */
  status: number;
  retryAfter: string | null;
  ms: number;
  /** `performance.now()` at its end. */
  at: number;
}

const pauseMs = 100;
/** Of acknowledged requests. */
const repeated = 0.1;

export class Sender {
  readonly answers: Answer[] = [];
  readonly #options: SendOptions;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<unknown>;
  #sent = 0;

  /** Begins at once, with two lanes for each app. */
  constructor(options: SendOptions) {
    this.#options = options;
    const lanes = options.apps.flatMap((_, app) => [0, 1].map((lane) => this.#lane(app, `${options.seed} ${app} ${lane}`)));
    this.#ended = Promise.all(lanes);
  }

  /** Resolves when everything that was begun is acknowledged. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
  }

  /** Resolves when all spans are acknowledged. */
  async end(): Promise<void> {
    await this.#ended;
  }

  get sent(): number {
    return this.#sent;
  }

  /** Number of answers by status. */
  get statuses(): Record<string, number> {
    return Object.fromEntries([...Map.groupBy(this.answers, ({ status }) => status)].map(([status, of]) => [status, of.length]));
  }

  async #lane(app: number, seed: string): Promise<void> {
    const { ledger, spans: most = Number.POSITIVE_INFINITY, rate, spansPerRequest = 50, apps, largeTexts } = this.#options;
    const [traffic, random] = [new Traffic(seed, largeTexts), new Random(`pauses ${seed}`)];
    const lanes = 2 * apps.length;
    const began = performance.now();
    for (let own = 0; !this.#stopping.signal.aborted && this.#sent < most; ) {
      const spans = traffic.next(spansPerRequest);
      this.#sent += spans.length;
      own += spans.length;
      ledger.send(app, spans);
      await this.#untilAcknowledged(app, spans);
      ledger.acknowledge(app, spans);
      if (random.chance(repeated)) await this.#post(app, spans);
      if (rate) await this.#pause(began + (own * lanes * 1000) / rate - performance.now());
    }
  }

  async #pause(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }

  async #untilAcknowledged(app: number, spans: readonly TrafficSpan[]): Promise<void> {
    for (;;) {
      const { status } = await this.#post(app, spans);
      if (status === 200) return;
      if (status >= 400 && status < 500 && status !== 429) throw new Error(`A valid request was answered ${status}`);
      await sleep(pauseMs);
    }
  }

  async #post(app: number, spans: readonly TrafficSpan[]): Promise<Answer> {
    const { url, apps, timeoutMs = 30_000 } = this.#options;
    const began = performance.now();
    const body = JSON.stringify(aRequest(spans.map(({ version }) => version.json)));
    const init = { method: 'POST', headers: headersOf(apps[app] as Bootstrapped), body, signal: AbortSignal.timeout(timeoutMs) };
    const response = await fetch(`${url()}/v1/traces`, init).catch(() => null);
    const isComplete = (await response?.arrayBuffer().catch(() => null)) !== null;
    const at = performance.now();
    const status = isComplete ? (response?.status ?? 0) : 0;
    const answer = { status, retryAfter: response?.headers.get('retry-after') ?? null, ms: at - began, at };
    this.answers.push(answer);
    return answer;
  }
}

export const headersOf = ({ api_key, app_id }: Pick<Bootstrapped, 'api_key' | 'app_id'>): Record<string, string> => ({
  Authorization: api_key,
  'X-Service-App-Id': app_id,
  'Content-Type': 'application/json',
});

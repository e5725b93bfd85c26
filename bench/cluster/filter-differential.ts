/**
 * Random filters over HTTP: a fleet behind its proxy must select the traces and spans that a single gateway over SQLite selects, in the same
 * order, and those that the documented meaning selects.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { filterPopulation, sentFilterSpan } from '../../server/telemetry/conformance/filter-population.ts';
import { type NaiveFilter, naiveSpan, naiveTrace } from '../../server/telemetry/conformance/naive-filter.ts';
import { asText, randomFilter } from '../../server/telemetry/conformance/random-filters.ts';
import { aRequest } from '../../shared/fixtures/otlp.ts';
import { HttpClient } from '../gateway/http-client.ts';

/** An app of a gateway or of a fleet. */
export interface App {
  url: string;
  api_key: string;
  app_id: string;
}

export interface DifferentialOptions {
  fleet: App;
  single: App;
  filters: number;
  seed: number;
  log(line: string): void;
}

export interface DifferentialResult {
  filters: number;
  /** Of the fleet; as many of the single gateway. */
  reads: number;
  /** Filters that selected some of the traces, not all. */
  telling: number;
  mismatches: string[];
}

const population = filterPopulation(60, 20_260_115);
const spans = population.traces.flatMap((trace) => trace.spans);
const concurrency = 6;
const mismatchesMax = 20;
const reportEvery = 100;
const listedLimitMs = 60_000;

export async function runFilterDifferential({ fleet, single, filters, seed, log }: DifferentialOptions): Promise<DifferentialResult> {
  const [ours, alone] = [new Reader(fleet), new Reader(single)];
  try {
    await Promise.all([ours.fill(), alone.fill()]);
    log(`filters: ${spans.length} spans in ${population.traces.length} traces, ${population.scores.length} scores, in both`);
    const result: DifferentialResult = { filters: 0, reads: 0, telling: 0, mismatches: [] };
    const all = fc.sample(randomFilter, { numRuns: filters, seed });
    let next = 0;
    const work = async () => {
      while (next < all.length && result.mismatches.length < mismatchesMax) {
        await compare(all[next++] as NaiveFilter, ours, alone, result);
        if (result.filters % reportEvery === 0) log(`filters: ${result.filters} of ${filters}, ${result.mismatches.length} mismatches`);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    return result;
  } finally {
    ours.close();
    alone.close();
  }
}

async function compare(filter: NaiveFilter, ours: Reader, alone: Reader, result: DifferentialResult): Promise<void> {
  const text = asText(filter);
  const meant = {
    traces: population.traces.filter((trace) => naiveTrace(filter, trace, population.scores)).map(({ id }) => id),
    spans: spans.filter((span) => naiveSpan(filter, span, population)).map(({ id }) => id),
  };
  for (const list of ['traces', 'spans'] as const) {
    const [fleet, single] = await Promise.all([ours.list(list, text), alone.list(list, text)]);
    result.reads++;
    const expected = JSON.stringify(meant[list].toSorted());
    if (
      !fleet.isComplete ||
      fleet.ids.toSorted().join() !== single.ids.toSorted().join() ||
      JSON.stringify(fleet.ids.toSorted()) !== expected
    )
      result.mismatches.push(`${list} ${text}: fleet ${fleet.text}, single ${single.text}, meant ${expected}`);
    else if (fleet.ids.join() !== single.ids.join())
      result.mismatches.push(`order of ${list} ${text}: fleet ${fleet.ids}, single ${single.ids}`);
  }
  result.filters++;
  if (meant.traces.length > 0 && meant.traces.length < population.traces.length) result.telling++;
}

interface Listed {
  ids: string[];
  /** Whether the answer says that these are all. */
  isComplete: boolean;
  /** For messages. */
  text: string;
}

/** Writes and reads an app over HTTP. */
class Reader {
  readonly #http: HttpClient;
  readonly #headers: Record<string, string>;

  constructor({ url, api_key, app_id }: App) {
    this.#http = new HttpClient(url, concurrency);
    this.#headers = { authorization: api_key, 'x-service-app-id': app_id };
  }

  /** Sends traces and scores in the order of their arrival. Resolves when they are listed: a fleet may acknowledge spans a moment before. */
  async fill(): Promise<void> {
    for (const trace of population.traces) await this.#post('/v1/traces', aRequest(trace.spans.map((span) => sentFilterSpan(span, trace))));
    const scores = population.scores
      .toSorted((a, b) => a.atMs - b.atMs)
      .map(({ resource_id, name, score }) => ({ resource_id, name, score }));
    await this.#post('/v1/scores/batch', { scores });
    for (const deadline = performance.now() + listedLimitMs; ; await sleep(200)) {
      const { ids } = await this.list('spans', '');
      if (ids.length === spans.length) return;
      if (performance.now() > deadline) throw new Error(`${ids.length} of ${spans.length} acknowledged spans are listed`);
    }
  }

  async list(list: 'traces' | 'spans', filter: string): Promise<Listed> {
    const query = filter === '' ? '' : `&filter=${encodeURIComponent(filter)}`;
    const { status, body } = await this.#http.send('GET', `/v1/${list}?limit=500${query}`, this.#headers);
    const text = body.toString();
    if (status !== 200) return { ids: [], isComplete: false, text: `${status} ${text}` };
    const { data, pagination } = JSON.parse(text) as { data: { id: string }[]; pagination: { total: number } };
    const ids = data.map(({ id }) => id);
    return { ids, isComplete: pagination.total === ids.length, text: `${JSON.stringify(pagination)} ${JSON.stringify(ids)}` };
  }

  async #post(path: string, content: object): Promise<void> {
    const headers = { ...this.#headers, 'content-type': 'application/json' };
    const { status, body } = await this.#http.send('POST', path, headers, Buffer.from(JSON.stringify(content)));
    if (status !== 200 && status !== 201) throw new Error(`${path} answered ${status}: ${body}`);
  }

  close(): void {
    this.#http.close();
  }
}

/** The worker's HTTP requests to the gateway, besides its socket: reads rows, sends spans and scores. */
import { setTimeout as after } from 'node:timers/promises';
import type { ScoreDraft } from '../../../shared/contract/evaluation/score-draft.ts';

const attemptsMax = 6;
const waitMaxSeconds = 30;
const timeoutMs = 60_000;

export interface DatasetRow {
  input: unknown;
  expected_output: unknown;
  metadata: unknown;
}

export class WorkerGateway {
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  /** @throws Error with the gateway's message */
  async rows(appId: string, dataset: string, signal: AbortSignal): Promise<DatasetRow[]> {
    const response = await this.#request(`/v1/templates?path=${encodeURIComponent(dataset)}&format=json`, appId, {}, signal);
    const rows = (await response.json()) as Partial<DatasetRow>[];
    return rows.map(({ input = null, expected_output = null, metadata = {} }) => ({ input, expected_output, metadata }));
  }

  /** @param body OTLP/JSON */
  async sendSpans(appId: string, body: object, signal: AbortSignal): Promise<void> {
    const response = await this.#request('/v1/traces', appId, { method: 'POST', body: JSON.stringify(body) }, signal);
    const { partialSuccess } = (await response.json()) as { partialSuccess?: { errorMessage?: string } };
    if (partialSuccess) throw new Error(`The gateway accepted only part of the spans: ${partialSuccess.errorMessage}`);
  }

  async sendScores(appId: string, scores: ScoreDraft[], signal: AbortSignal): Promise<void> {
    if (scores.length === 0) return;
    await this.#request('/v1/scores/batch', appId, { method: 'POST', body: JSON.stringify({ scores }) }, signal);
  }

  /** Retries when the gateway asks for it with Retry-After. */
  async #request(path: string, appId: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    const headers = { authorization: this.#key, 'x-service-app-id': appId, 'content-type': 'application/json' };
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(this.#url + path, {
        ...init,
        headers,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      if (response.ok && response.status !== 207) return response;
      const { error } = (await response.json().catch(() => ({}))) as { error?: { code: string; message: string } };
      const wait = Number(response.headers.get('retry-after'));
      if (!(wait > 0 && wait <= waitMaxSeconds) || attempt === attemptsMax)
        throw new Error(
          `${init.method ?? 'GET'} ${path.split('?')[0]}: ${response.status} ${error ? `${error.code}: ${error.message}` : ''}`,
        );
      await after(wait * 1000, undefined, { signal });
    }
  }
}

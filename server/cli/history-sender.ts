/** Sends spans in requests that a gateway accepts, one at a time, so that others are not kept waiting. */
import { setTimeout as wait } from 'node:timers/promises';
import type { HistorySpan } from '../history/otlp-span.ts';
import { SpanBatch } from '../history/span-batch.ts';
import { CommandError, exitCode } from './command.ts';
import { withCommandErrors } from './local-gateway.ts';
import { printable } from './terminal.ts';

/** In UTF-16 code units. A request is sent when it is as long as this. */
const requestLength = 2 * 1024 * 1024;
const attemptsMax = 20;

interface Answer {
  error?: { message?: unknown };
  data?: unknown;
  partialSuccess?: { rejectedSpans?: unknown; errorMessage?: unknown };
}

export class HistorySender {
  readonly #url: string;
  readonly #batch = new SpanBatch(requestLength);
  readonly sessions = new Set<string>();
  readonly traces = new Set<string>();
  sent = 0;
  refused = 0;
  /** Why the first was refused. */
  reason = '';
  tooLarge = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** @throws CommandError when the gateway refuses a request, or no longer answers */
  async add(spans: readonly HistorySpan[]): Promise<void> {
    for (const span of spans) {
      let added = this.#batch.add(span);
      if (added === 'full') {
        await this.finish();
        added = this.#batch.add(span);
      }
      if (added === 'too large') {
        this.tooLarge++;
        continue;
      }
      this.traces.add(span.traceId);
      this.sessions.add(String(span.attributes['session.id']));
    }
  }

  /** Sends what was added and is not sent yet. @throws like `add` */
  async finish(): Promise<void> {
    const { count } = this.#batch;
    if (count === 0) return;
    const { partialSuccess = {} } = await this.#post(this.#batch.take());
    const refused = Number(partialSuccess.rejectedSpans ?? 0);
    if (refused > 0 && this.reason === '') this.reason = String(partialSuccess.errorMessage ?? '');
    this.sent += count;
    this.refused += refused;
  }

  /** A gateway that is busy or has no space says when to try again. */
  async #post(body: string): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const headers = { 'Content-Type': 'application/json' };
      const response = await withCommandErrors(fetch(`${this.#url}/v1/traces`, { method: 'POST', headers, body }));
      const answer = (await response.json().catch(() => ({}))) as Answer;
      if (response.ok) return answer;
      const isBusy = response.status === 503 || response.status === 429;
      if (!isBusy || attempt === attemptsMax) {
        throw new CommandError(exitCode.failed, printable(String(answer.error?.message ?? `The gateway answered ${response.status}.`)));
      }
      await wait(1000 * Math.min(30, Number(response.headers.get('Retry-After')) || 1));
    }
  }
}

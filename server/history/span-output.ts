import type { HistorySpan } from './otlp-span.ts';
import { RecentKeys } from './recent-keys.ts';
import type { Turn } from './turn.ts';

/** Spans of a file that are complete and were not taken yet. What a file repeats is made once. */
export class SpanOutput {
  readonly #sinceMs: number;
  readonly #made = new RecentKeys();
  #spans: HistorySpan[] = [];

  /** @param sinceMs turns that began before are left out. Milliseconds since the epoch */
  constructor(sinceMs: number) {
    this.#sinceMs = sinceMs;
  }

  add({ startMs }: Pick<Turn, 'startMs'>, span: HistorySpan): void {
    if (startMs >= this.#sinceMs && this.#made.add(span.traceId + span.spanId)) this.#spans.push(span);
  }

  take(): HistorySpan[] {
    const spans = this.#spans;
    this.#spans = [];
    return spans;
  }
}

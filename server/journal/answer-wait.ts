/** How long the sender of a change waits for its result, which is known when it is stored. */
import type { SentRequest } from '../telemetry/store-requests.ts';

export interface Wait {
  /** Longest time. */
  ms: number;
  /** Spans and log records of a batch, which are accepted whatever the result; null for another change. */
  count: number | null;
  /** A quota may refuse it. */
  hasLimit: boolean;
}

/** Other changes have no answer without their result. */
const changeWaitMs = 15_000;

/** Counts a batch. */
export function waitOf(request: SentRequest, limits: { waitMs: number; busyWaitMs: number }, rate: BatchRate): Wait {
  if (request.kind !== 'batch') return { ms: changeWaitMs, count: null, hasLimit: false };
  const { batch, allowance } = request;
  const hasLimit = allowance !== null && (allowance.monthly_spans !== null || allowance.storage_bytes !== null);
  const isBusy = rate.countOne();
  return { ms: isBusy && !hasLimit ? limits.busyWaitMs : limits.waitMs, count: batch.spanCount + batch.logs.length, hasLimit };
}

/** So many batches within a second are many. */
const busyBatches = 5;

export class BatchRate {
  readonly #now: () => number;
  /** When the last batches came, the oldest first. */
  #times: number[] = [];

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** @returns whether there are many, this one included */
  countOne(): boolean {
    this.#times = [...this.#times, this.#now()].slice(-busyBatches);
    const [first = 0] = this.#times;
    return this.#times.length === busyBatches && this.#now() - first < 1000;
  }
}

/** How long the sender of a change waits for its result, which is known when it is stored. */
import type { SentRequest } from '../telemetry/store-requests.ts';

export interface Wait {
  /** Longest time. */
  ms: number;
  /** Spans and log records of a batch, which are accepted whatever the result; null for another change. */
  count: number | null;
  /** A quota may refuse it. */
  hasLimit: boolean;
  /** Its sender does nothing until the result comes, so that its owner must not wait for more. */
  isPatient: boolean;
}

/** Other changes have no answer without their result. */
const changeWaitMs = 15_000;

/** Counts a batch. */
export function waitOf(request: SentRequest, limits: { waitMs: number; busyWaitMs: number }, load: BatchLoad): Wait {
  if (request.kind !== 'batch') return { ms: changeWaitMs, count: null, hasLimit: false, isPatient: true };
  const { batch, allowance } = request;
  const hasLimit = allowance !== null && (allowance.monthly_spans !== null || allowance.storage_bytes !== null);
  const isBusy = load.countOne() && !hasLimit;
  return { ms: isBusy ? limits.busyWaitMs : limits.waitMs, count: batch.spanCount + batch.logs.length, hasLimit, isPatient: !isBusy };
}

/** So many batches within a second are many. */
const busyBatches = 5;
/** Results that take longer are late: to wait for them would hold up their senders. */
const lateMs = 300;
/** Weight of the newest result. */
const newest = 1 / 4;

/** Whether a gateway has too much to do to wait for the results of batches. */
export class BatchLoad {
  readonly #now: () => number;
  /** When the last batches came, the oldest first. */
  #times: number[] = [];
  /** How long results took, the newer the more it counts. */
  #resultMs = 0;

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A result came, or did not come in so many milliseconds. */
  noteResult(ms: number): void {
    this.#resultMs += (ms - this.#resultMs) * newest;
  }

  /** @returns whether there are many, this one included, or their results are late */
  countOne(): boolean {
    this.#times = [...this.#times, this.#now()].slice(-busyBatches);
    const [first = 0] = this.#times;
    const areMany = this.#times.length === busyBatches && this.#now() - first < 1000;
    return areMany || this.#resultMs > lateMs;
  }
}

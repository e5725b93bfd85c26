/** How long a search of contents goes on. It is measured in processor time, so that a busy machine does not change what a small store answers. */
import type { TimeLimit } from './time-limit.ts';

/** Processor time for further matches, once the page is full: their number is the total. */
const countMs = 100;
/** The same for a page that is not full. */
const pageMs = 2000;
/** Waiting for the disk or the processor ends a search after this multiple. */
const waitFactor = 2.5;

/** Reading the clocks takes as long as refusing a span. */
const callsPerCheck = 8;

/** Ends a search from within: what was found so far is the result. */
export class BudgetSpent extends Error {}

export class SearchBudget {
  readonly #limit: TimeLimit;
  readonly #began = performance.now();
  readonly #cpu = process.threadCpuUsage();
  #isFull = false;
  #calls = 0;

  constructor(limit: TimeLimit) {
    this.#limit = limit;
  }

  /** Call it when the page is full. */
  fill(): void {
    this.#isFull = true;
  }

  /** @throws BudgetSpent, or what the time limit throws */
  check(): void {
    if (this.#calls++ % callsPerCheck !== 0) return;
    this.#limit.check();
    const allowed = this.#isFull ? countMs : pageMs;
    const { user, system } = process.threadCpuUsage(this.#cpu);
    if ((user + system) / 1000 > allowed || performance.now() - this.#began > allowed * waitFactor) throw new BudgetSpent();
  }
}

import type { AgentWords, WorkerQueue, WorkerTask } from '../control/worker-queue.ts';
import type { OutputLine } from '../control/worker-store.ts';
import type { Clock } from '../platform/clock.ts';

/** What is kept of the output of one turn. */
export interface OutputLimits {
  lines: number;
  chars: number;
  /** Of one line. */
  lineChars: number;
  /** Between two writes to the store. */
  flushMs: number;
}

export const standardOutput: OutputLimits = { lines: 20_000, chars: 4 * 1024 * 1024, lineChars: 8192, flushMs: 200 };

/** Brings what an agent prints to the store as it comes, in measure, and asks there whether the turn may go on. */
export class TurnLog {
  readonly #queue: WorkerQueue;
  readonly #task: WorkerTask;
  readonly #clock: Clock;
  readonly #limits: OutputLimits;
  #waiting: OutputLine[] = [];
  #words: Partial<AgentWords> = {};
  #next = 0;
  #chars = 0;
  #isFull = false;

  constructor(queue: WorkerQueue, task: WorkerTask, clock: Clock, limits: OutputLimits) {
    this.#queue = queue;
    this.#task = task;
    this.#clock = clock;
    this.#limits = limits;
  }

  add(stream: OutputLine['stream'], text: string): void {
    if (this.#isFull) return;
    const { lines, chars, lineChars } = this.#limits;
    const shown = text.length > lineChars ? `${text.slice(0, lineChars).toWellFormed()}…` : text;
    this.#chars += shown.length;
    this.#isFull = this.#next + 1 >= lines || this.#chars > chars;
    if (this.#isFull) this.#push('gateway', 'There was more output, which is not kept.');
    else this.#push(stream, shown);
  }

  know(words: Partial<AgentWords>): void {
    this.#words = { ...this.#words, ...words };
  }

  /** Whether the turn may go on. What could not be written waits for the next time. */
  async flush(): Promise<boolean> {
    const [lines, words] = [this.#waiting, this.#words];
    this.#waiting = [];
    this.#words = {};
    try {
      return await this.#queue.append(this.#task, lines, words);
    } catch (error) {
      this.#waiting = [...lines, ...this.#waiting];
      this.#words = { ...words, ...this.#words };
      throw error;
    }
  }

  #push(stream: OutputLine['stream'], text: string): void {
    this.#waiting.push({ seq: this.#next++, at: new Date(this.#clock.now()).toISOString(), stream, text });
  }
}

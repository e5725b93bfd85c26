import { setTimeout as after } from 'node:timers/promises';
import type { AgentRunQueue, AgentTask, AgentWords } from '../control/agent-run-queue.ts';
import type { OutputLine } from '../control/agent-run-store.ts';
import type { Clock } from '../platform/clock.ts';

/** Limits of the stored output of one turn. */
export interface OutputLimits {
  lines: number;
  chars: number;
  /** For one line. */
  lineChars: number;
  /** Between two writes to the store. */
  flushMs: number;
}

/** Limits of one write, because it blocks the event loop. */
const writeMax = { lines: 200, chars: 256 * 1024 };
/** Between two of them, for each millisecond that one took. */
const restMs = 2;

export const standardOutput: OutputLimits = { lines: 20_000, chars: 4 * 1024 * 1024, lineChars: 8192, flushMs: 200 };

/** Writes the output of an agent to the store as it arrives, within limits, and reads there whether the turn may continue. */
export class TurnLog {
  readonly #queue: AgentRunQueue;
  readonly #task: AgentTask;
  readonly #clock: Clock;
  readonly #limits: OutputLimits;
  #waiting: OutputLine[] = [];
  #words: Partial<AgentWords> = {};
  #next = 0;
  #chars = 0;
  #isFull = false;

  constructor(queue: AgentRunQueue, task: AgentTask, clock: Clock, limits: OutputLimits) {
    this.#queue = queue;
    this.#task = task;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** @returns whether more is kept */
  add(stream: OutputLine['stream'], text: string): boolean {
    if (this.#isFull) return false;
    const { lines, chars, lineChars } = this.#limits;
    const shown = text.length > lineChars ? `${text.slice(0, lineChars).toWellFormed()}…` : text;
    this.#chars += shown.length;
    this.#isFull = this.#next + 1 >= lines || this.#chars > chars;
    if (this.#isFull) this.#push('gateway', 'There was more output, which is not kept.');
    else this.#push(stream, shown);
    return !this.#isFull;
  }

  know(words: Partial<AgentWords>): void {
    this.#words = { ...this.#words, ...words };
  }

  /** Whether the turn may continue. Writes pending lines in parts; failed ones are retried with the next call. */
  async flush(): Promise<boolean> {
    for (;;) {
      const began = performance.now();
      const mayGoOn = await this.#write();
      if (this.#waiting.length === 0) return mayGoOn;
      await after(restMs * (performance.now() - began));
    }
  }

  async #write(): Promise<boolean> {
    const words = this.#words;
    this.#words = {};
    const lines = this.#waiting.slice(0, this.#countToWrite());
    try {
      const mayGoOn = await this.#queue.append(this.#task, lines, words);
      this.#waiting.splice(0, lines.length);
      return mayGoOn;
    } catch (error) {
      this.#words = { ...words, ...this.#words };
      throw error;
    }
  }

  #countToWrite(): number {
    let count = 0;
    for (let chars = 0; count < Math.min(writeMax.lines, this.#waiting.length) && chars < writeMax.chars; count++)
      chars += this.#waiting[count]?.text.length ?? 0;
    return count;
  }

  #push(stream: OutputLine['stream'], text: string): void {
    this.#waiting.push({ seq: this.#next++, at: new Date(this.#clock.now()).toISOString(), stream, text });
  }
}

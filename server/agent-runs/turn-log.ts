import { setTimeout as after } from 'node:timers/promises';
import type { AgentReport, AgentRunQueue, AgentTask } from '../control/agent-run-queue.ts';
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
/** Pause between two writes, for each millisecond that the first one took. */
const restMs = 2;

export const standardOutput: OutputLimits = { lines: 20_000, chars: 4 * 1024 * 1024, lineChars: 8192, flushMs: 200 };

/** Writes the output of an agent to the store as it arrives, within limits, and learns from the store whether the turn may continue. */
export class TurnLog {
  readonly #queue: AgentRunQueue;
  readonly #task: AgentTask;
  readonly #clock: Clock;
  readonly #limits: OutputLimits;
  #pending: OutputLine[] = [];
  #report: Partial<AgentReport> = {};
  #next = 0;
  #chars = 0;
  #isFull = false;

  constructor(queue: AgentRunQueue, task: AgentTask, clock: Clock, limits: OutputLimits) {
    this.#queue = queue;
    this.#task = task;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** @returns whether more output is stored */
  add(stream: OutputLine['stream'], text: string): boolean {
    if (this.#isFull) return false;
    const { lines, chars, lineChars } = this.#limits;
    const shown = text.length > lineChars ? `${text.slice(0, lineChars).toWellFormed()}…` : text;
    this.#chars += shown.length;
    this.#isFull = this.#next + 1 >= lines || this.#chars > chars;
    if (this.#isFull) this.#push('gateway', 'There was more output, which is not stored.');
    else this.#push(stream, shown);
    return !this.#isFull;
  }

  report(changes: Partial<AgentReport>): void {
    this.#report = { ...this.#report, ...changes };
  }

  /** Whether the turn may continue. Writes pending lines in parts; failed ones are retried with the next call. */
  async flush(): Promise<boolean> {
    for (;;) {
      const startedMs = performance.now();
      const mayContinue = await this.#write();
      if (this.#pending.length === 0) return mayContinue;
      await after(restMs * (performance.now() - startedMs));
    }
  }

  async #write(): Promise<boolean> {
    const report = this.#report;
    this.#report = {};
    const lines = this.#pending.slice(0, this.#countToWrite());
    try {
      const mayContinue = await this.#queue.append(this.#task, lines, report);
      this.#pending.splice(0, lines.length);
      return mayContinue;
    } catch (error) {
      this.#report = { ...report, ...this.#report };
      throw error;
    }
  }

  #countToWrite(): number {
    let count = 0;
    for (let chars = 0; count < Math.min(writeMax.lines, this.#pending.length) && chars < writeMax.chars; count++)
      chars += this.#pending[count]?.text.length ?? 0;
    return count;
  }

  #push(stream: OutputLine['stream'], text: string): void {
    this.#pending.push({ seq: this.#next++, at: new Date(this.#clock.now()).toISOString(), stream, text });
  }
}

/**
 * Five-hour windows as the plans of coding agents count them: a window begins at the full hour (UTC) before its first call and lasts five hours; the next
 * one begins with the first call after it.
 */
import { SpendingCount } from './spending-count.ts';
import type { SpentCall } from './spent-call.ts';

const hourMs = 3_600_000;
export const fiveHoursMs = 5 * hourMs;
/** Just under 14 days. */
const countedWindows = 67;

/** From when on calls are counted. It moves by whole windows, so that windows of a program that never pauses for five hours stay where they are. */
export const countedFrom = (nowMs: number): number => (Math.floor(nowMs / fiveHoursMs) - countedWindows) * fiveHoursMs;

export interface FiveHourWindow {
  fromMs: number;
  count: SpendingCount;
}

export class FiveHourWindows {
  #window: FiveHourWindow | null = null;
  #highest: FiveHourWindow | null = null;

  /** Calls are added in order of time. */
  add(call: SpentCall): void {
    const { atMs } = call;
    const isOver = !this.#window || atMs >= this.#window.fromMs + fiveHoursMs;
    if (isOver) this.#window = { fromMs: Math.floor(atMs / hourMs) * hourMs, count: new SpendingCount() };
    const window = this.#window as FiveHourWindow;
    window.count.add(call);
    if (!this.#highest || window.count.picos > this.#highest.count.picos) this.#highest = window;
  }

  /** The current window; null when the last one is over. */
  at(nowMs: number): FiveHourWindow | null {
    return this.#window && nowMs < this.#window.fromMs + fiveHoursMs ? this.#window : null;
  }

  /** The most expensive one; null without calls. */
  get highest(): FiveHourWindow | null {
    return this.#highest;
  }
}

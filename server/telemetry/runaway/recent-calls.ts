/** The latest tool calls of a run, as numbers: finds the same call again and again, and rounds of calls that repeat with equal results. */
import { mix, numberOf, type Sign, type Step } from './step.ts';

/** Calls that are remembered. */
const callsMax = 128;
/** Equal calls count when they are this part of the calls since the first of them; otherwise other work went on. */
const partMin = 1 / 4;
/** With other results, as of a status that is asked for, it takes this many times as many calls. */
const otherResults = 3;
/** Numbers of calls in one round of a loop. One call that repeats is no loop but a repeated call. */
const periods = { min: 2, max: 8 };

export class RecentCalls {
  /** Rings: what was called with which arguments, and that with its result. */
  readonly #calls: number[] = [];
  readonly #outcomes: number[] = [];
  #count = 0;
  /** For each period, the number of latest outcomes that equal the one a period before. */
  readonly #repeats = new Array<number>(periods.max + 1).fill(0);

  add(step: Step): void {
    const { name, arguments_hash, result_hash, span_id } = step;
    // A call whose arguments were not recorded equals no other.
    const call = arguments_hash === null ? mix(numberOf(span_id), this.#count) : mix(numberOf(name), arguments_hash);
    const outcome = mix(call, result_hash ?? -1);
    for (let period = periods.min; period <= periods.max; period++) {
      const isRepeat = this.#count >= period && this.#outcomes[(this.#count - period) % callsMax] === outcome;
      this.#repeats[period] = isRepeat ? (this.#repeats[period] as number) + 1 : 0;
    }
    const at = this.#count++ % callsMax;
    this.#calls[at] = call;
    this.#outcomes[at] = outcome;
  }

  /** Whether the call that was added last is one of many equal ones. */
  repeatedCall({ name, arguments_hash }: Step, threshold: number): Sign | null {
    if (arguments_hash === null) return null;
    const equal = this.#densest(this.#outcomes, threshold);
    const count = equal > 0 ? this.#densest(this.#calls, threshold) : this.#densest(this.#calls, threshold * otherResults);
    const value = Math.max(equal, count);
    return value > 0 ? { rule: 'repeated_calls', subject: name, value } : null;
  }

  /** Looks back for entries that equal the newest one. @returns their number, 0 if they are fewer than `least` or too far apart */
  #densest(ring: readonly number[], least: number): number {
    const newest = ring[(this.#count - 1) % callsMax];
    let found = 0;
    let dense = 0;
    for (let back = 1; back <= Math.min(this.#count, callsMax); back++) {
      if (ring[(this.#count - back) % callsMax] !== newest) continue;
      found++;
      if (found >= back * partMin) dense = found;
    }
    return dense >= Math.min(least, callsMax * partMin * 3) ? dense : 0;
  }

  /** Whether the latest calls are rounds of the same calls with the same results. */
  loop({ name }: Step, threshold: number): Sign | null {
    for (let period = periods.min; period <= periods.max; period++) {
      const rounds = Math.floor((this.#repeats[period] as number) / period) + 1;
      if (rounds >= threshold && !this.#isOneCall(period)) return { rule: 'loop', subject: name, value: rounds };
    }
    return null;
  }

  #isOneCall(period: number): boolean {
    const newest = this.#outcomes[(this.#count - 1) % callsMax];
    for (let back = 2; back <= period; back++) if (this.#outcomes[(this.#count - back) % callsMax] !== newest) return false;
    return true;
  }
}

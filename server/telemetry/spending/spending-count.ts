import type { SpendingSums } from '../../../shared/contract/viewer/spending.ts';
import { countable, picosOf, picosPerDollar } from '../trace-tree.ts';
import type { SpentCall } from './spent-call.ts';

/** Sums of model calls. Costs are whole picodollars, so that the order of calls does not change the last digit. */
export class SpendingCount {
  #calls = 0;
  #unpriced = 0;
  #picos = 0;
  #savings = 0;
  #input = 0;
  #output = 0;
  #cacheRead = 0;
  #cacheWrite = 0;

  get picos(): number {
    return this.#picos;
  }

  get calls(): number {
    return this.#calls;
  }

  add({ cost, input, output, cacheRead, cacheWrite, savings }: SpentCall): void {
    this.#calls++;
    if (cost === null && input + output + cacheRead + cacheWrite > 0) this.#unpriced++;
    this.#picos += picosOf(cost ?? 0);
    this.#savings += Math.round(savings * picosPerDollar);
    this.#input += input;
    this.#output += output;
    this.#cacheRead += cacheRead;
    this.#cacheWrite += cacheWrite;
  }

  get sums(): SpendingSums {
    return {
      cost: this.#picos / picosPerDollar,
      calls: this.#calls,
      unpriced_calls: this.#unpriced,
      input_tokens: countable(this.#input),
      output_tokens: countable(this.#output),
      cache_read_tokens: countable(this.#cacheRead),
      cache_write_tokens: countable(this.#cacheWrite),
      cache_savings: this.#savings / picosPerDollar,
    };
  }
}

import { ratesFor } from './cost-of.ts';
import type { Price } from './price-table.ts';

/**
 * US dollars that the input of a call would have cost more without a cache: reads cost less than other input, and writes more, so that it
 * can be below 0.
 * @param input tokens with those of the cache, unless the sender does not include them
 */
export function cacheSavings(price: Price, input: number, read: number, write: number): number {
  const rates = ratesFor(price, read > input ? input + read + write : input);
  const perMillion = read * (rates.input - (rates.cache_read ?? rates.input)) - write * ((rates.cache_write ?? rates.input) - rates.input);
  return perMillion / 1e6;
}

import type { PriceMatch } from './price-index.ts';
import type { OwnPrices } from './resolve-model.ts';

/** The user's own prices, in US dollars per million tokens, and aliases of models (overrides.ts validates the file). */
export interface PriceOverrides {
  models: Record<string, { input: number; output: number; cache_read?: number | undefined; cache_write?: number | undefined }>;
  aliases: Record<string, string>;
}

export const noOverrides: PriceOverrides = { models: {}, aliases: {} };

/** Prepared for lookups: names as written, and in lower case unless that hides an exact name. */
export function ownPrices({ models, aliases }: PriceOverrides): OwnPrices {
  const matches = Object.entries(models).map(([model, price]): [string, PriceMatch] => [
    model,
    { price, matched: `overrides/${model}`, estimated: false },
  ]);
  return { models: inAnyCase(matches), aliases: inAnyCase(Object.entries(aliases)) };
}

const inAnyCase = <T>(entries: [string, T][]) =>
  new Map([...entries.map(([name, value]): [string, T] => [name.toLowerCase(), value]), ...entries]);

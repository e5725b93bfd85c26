import type { Offer } from './price-shelves.ts';
import type { OwnPrices } from './resolve-model.ts';

/** The user's own prices, in US dollars per million tokens, and what he calls his models (overrides.ts validates the file). */
export interface PriceOverrides {
  models: Record<string, { input: number; output: number; cache_read?: number | undefined; cache_write?: number | undefined }>;
  aliases: Record<string, string>;
}

export const noOverrides: PriceOverrides = { models: {}, aliases: {} };

/** For looking up: as it is written, and in any case where that hides nothing that is exact. */
export function ownPrices({ models, aliases }: PriceOverrides): OwnPrices {
  const offers = Object.entries(models).map(([model, price]): [string, Offer] => [
    model,
    { price, matched: `overrides/${model}`, estimated: false },
  ]);
  return { models: inAnyCase(offers), aliases: inAnyCase(Object.entries(aliases)) };
}

const inAnyCase = <T>(entries: [string, T][]) =>
  new Map([...entries.map(([name, value]): [string, T] => [name.toLowerCase(), value]), ...entries]);

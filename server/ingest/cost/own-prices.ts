import type { PriceMatch } from './price-index.ts';
import type { OwnPrices } from './resolve-model.ts';

/** The user's own prices, in US dollars per million tokens, aliases of models, and context windows in tokens (overrides.ts validates the file). */
export interface PriceOverrides {
  models: Record<string, { input: number; output: number; cache_read?: number | undefined; cache_write?: number | undefined }>;
  aliases: Record<string, string>;
  context_windows: Record<string, number>;
}

export const noOverrides: PriceOverrides = { models: {}, aliases: {}, context_windows: {} };

/** Prepared for lookups: names as written, and in lower case unless that hides an exact name. */
export function ownPrices({ models, aliases }: Pick<PriceOverrides, 'models' | 'aliases'>): OwnPrices {
  const matches = Object.entries(models).map(([model, price]): [string, PriceMatch] => [
    model,
    { price, matched: `overrides/${model}`, estimated: false },
  ]);
  return { models: inAnyCase(matches), aliases: inAnyCase(Object.entries(aliases)) };
}

/** The user's own context windows, to be looked up like prices. */
export function ownWindows({ context_windows, aliases }: PriceOverrides): OwnPrices {
  const matches = Object.entries(context_windows).map(([model, context_window]): [string, PriceMatch] => [
    model,
    { price: { input: 0, output: 0, context_window }, matched: `overrides/${model}`, estimated: false },
  ]);
  return { models: inAnyCase(matches), aliases: inAnyCase(Object.entries(aliases)) };
}

const inAnyCase = <T>(entries: [string, T][]) =>
  new Map([...entries.map(([name, value]): [string, T] => [name.toLowerCase(), value]), ...entries]);

import prices from './prices.json' with { type: 'json' };

/** US dollars per million tokens. */
export interface Rates {
  input: number;
  output: number;
  /** Input served from the provider's cache; the input rate when absent. */
  cache_read?: number | undefined;
  /** Input written to the provider's cache; the input rate when absent. */
  cache_write?: number | undefined;
}

export interface Price extends Rates {
  /** Reasoning tokens, where they are billed separately from the rest of the output. */
  reasoning?: number | undefined;
  /** Rates of the whole request when its input is longer than `above` tokens. */
  tier?: (Rates & { above: number }) | undefined;
  /** `YYYY-MM-DD`: the date since which the price applies, if the list has it. */
  effective_from?: string | undefined;
  /** The price depends on the hour of the day; this one applies for the most hours. */
  varies?: boolean | undefined;
  /** Tokens that a prompt and its answer may have together, if the list has it. */
  context_window?: number | undefined;
}

/** A price with the other names of its model. */
export interface PriceRow extends Price {
  also?: string[];
}

/** The file that `generate-prices.ts` writes. */
export interface PriceTable {
  source: { package: string; version: string; license: string; date: string; unit: string };
  /** Provider, then model. */
  prices: Record<string, Record<string, PriceRow>>;
  /** Known models without a price per token: sold by the hour, by the page or not at all. */
  unpriced: Record<string, string[]>;
  /** Providers that sell models of other providers at the prices of those. */
  resells: Record<string, string[]>;
}

export const priceTable: PriceTable = prices;

import listed from './prices.json' with { type: 'json' };

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
  /** Reasoning tokens, where they are billed apart from the rest of the output. */
  reasoning?: number | undefined;
  /** What a request costs, all of it, when its input is longer than `above` tokens. */
  tier?: (Rates & { above: number }) | undefined;
  /** `YYYY-MM-DD`, when the list names the day on which this price came into force. */
  effective_from?: string | undefined;
  /** The provider charges by the hour of the day; this is what holds for the most hours. */
  varies?: boolean | undefined;
}

/** A price with the other names of its model. */
export interface PriceRow extends Price {
  also?: string[];
}

/** What `generate-prices.ts` writes. */
export interface PriceTable {
  source: { package: string; version: string; license: string; date: string; unit: string };
  /** Provider, then model. */
  prices: Record<string, Record<string, PriceRow>>;
  /** Models that are sold by the hour, the page or not at all: known, but without a price per token. */
  unpriced: Record<string, string[]>;
  /** Providers that sell models of others at the price of these others. */
  resells: Record<string, string[]>;
}

export const priceTable: PriceTable = listed;

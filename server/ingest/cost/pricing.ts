import type { PriceList } from '../../../shared/contract/core/pricing.ts';
import { type Cost, type CostInput, costOf } from './cost-of.ts';
import { noOverrides, ownPrices, ownWindows, type PriceOverrides } from './own-prices.ts';
import { indexPrices, type PriceMatch } from './price-index.ts';
import { priceTable } from './price-table.ts';
import { publicPrices } from './public-prices.ts';
import { createLookup } from './resolve-model.ts';

/** Immutable. Create another one when the user's `prices.json` changes. */
export interface Pricing {
  /** The price of a model, its row in the list, and whether it is a guess. Null without a price. */
  resolve(model: string, provider: string): PriceMatch | null;
  /** Tokens that a prompt and its answer may have together; null when no list says it. */
  contextWindow(model: string, provider: string): number | null;
  /** MUST NOT throw or change the span. */
  costOf(span: CostInput): Cost;
  /** The body of `GET /v1/pricing`. */
  publicTable(): PriceList;
}

/** @param own the user's prices, validated (read-overrides.ts) */
export function createPricing(own: PriceOverrides = noOverrides): Pricing {
  // At the first use: most threads of an idle gateway never price anything.
  let prepared: ReturnType<typeof prepare> | null = null;
  const prices = () => (prepared ??= prepare(own));
  return {
    resolve: (model, provider) => {
      const match = prices().lookup(model, provider);
      return typeof match === 'string' ? null : match;
    },
    contextWindow: (model, provider) => {
      const match = prices().windows(model, provider);
      return typeof match === 'string' ? null : (match.price.context_window ?? null);
    },
    costOf: (span) => costOf(prices().lookup, span),
    publicTable: () => publicPrices(prices().indexes, own),
  };
}

function prepare(own: PriceOverrides) {
  const indexes = indexPrices(priceTable);
  return { indexes, lookup: createLookup(indexes, ownPrices(own)), windows: createLookup(indexes, ownWindows(own)) };
}

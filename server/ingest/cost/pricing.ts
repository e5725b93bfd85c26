import type { PriceList } from '../../../shared/contract/core/pricing.ts';
import { type Charged, type Cost, costOf } from './cost-of.ts';
import { noOverrides, ownPrices, type PriceOverrides } from './own-prices.ts';
import { arrange, type Offer } from './price-shelves.ts';
import { priceTable } from './price-table.ts';
import { publicPrices } from './public-prices.ts';
import { createLookup } from './resolve-model.ts';

/** Prices as they stand. Make another one when the user's `prices.json` changes. */
export interface Pricing {
  /** What a model costs, which row says so, and whether that had to be guessed. Null without a price. */
  resolve(model: string, provider: string): Offer | null;
  /** MUST NOT throw or change the span. */
  costOf(span: Charged): Cost;
  /** The body of `GET /v1/pricing`. */
  publicTable(): PriceList;
}

/** @param own the user's prices, validated (read-overrides.ts) */
export function createPricing(own: PriceOverrides = noOverrides): Pricing {
  const shelves = arrange(priceTable);
  const look = createLookup(shelves, ownPrices(own));
  return {
    resolve: (model, provider) => {
      const offer = look(model, provider);
      return typeof offer === 'string' ? null : offer;
    },
    costOf: (span) => costOf(look, span),
    publicTable: () => publicPrices(shelves, own),
  };
}

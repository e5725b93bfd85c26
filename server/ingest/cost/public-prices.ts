import type { PriceList, PublicPrice } from '../../../shared/contract/core/pricing.ts';
import type { PriceIndexes } from './price-index.ts';
import type { Price } from './price-table.ts';

/** The list is per million tokens, the API per thousand. Rounded to remove artefacts of the division: 0.15 / 1000 is 0.00015. */
const perThousand = (perMillion: number) => Number((perMillion / 1000).toPrecision(9));

const publicPrice = ({ input, output, cache_read, cache_write, reasoning }: Price): PublicPrice => ({
  promptPrice: perThousand(input),
  completionPrice: perThousand(output),
  ...(cache_read === undefined ? {} : { cacheReadPrice: perThousand(cache_read) }),
  ...(cache_write === undefined ? {} : { cacheWritePrice: perThousand(cache_write) }),
  ...(reasoning === undefined ? {} : { reasoningPrice: perThousand(reasoning) }),
});

/** The user's prices and aliases, as written. */
interface Own {
  models: Record<string, Price>;
  aliases: Record<string, string>;
}

/**
 * Every priced model under the names that clients look up: `gpt-4o` with the price of its vendor, `azure/gpt-4o` with that of a
 * provider, both overridden by the user's prices. An alias has the price of its model.
 */
export function publicPrices(indexes: PriceIndexes, { models, aliases }: Own): PriceList {
  const prices = new Map<string, PublicPrice>();
  for (const index of indexes.byProvider.values()) {
    for (const { price, matched } of index.values()) prices.set(matched, publicPrice(price));
  }
  for (const [name, { price }] of indexes.vendors) prices.set(name, publicPrice(price));
  for (const [model, price] of Object.entries(models)) prices.set(model, publicPrice(price));
  for (const [alias, model] of Object.entries(aliases)) {
    const price = prices.get(model) ?? prices.get(model.toLowerCase());
    if (price) prices.set(alias, price);
  }
  return Object.fromEntries([...prices].sort(([a], [b]) => (a < b ? -1 : 1)));
}

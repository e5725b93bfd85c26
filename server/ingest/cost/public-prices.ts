import type { PriceList, PublicPrice } from '../../../shared/contract/core/pricing.ts';
import type { Shelves } from './price-shelves.ts';
import type { Price } from './price-table.ts';

/** The list counts millions of tokens, the wire thousands. Rounded to hide what the division adds: 0.15 / 1000 is 0.00015. */
const perThousand = (perMillion: number) => Number((perMillion / 1000).toPrecision(9));

const publicPrice = ({ input, output, cache_read, cache_write, reasoning }: Price): PublicPrice => ({
  promptPrice: perThousand(input),
  completionPrice: perThousand(output),
  ...(cache_read === undefined ? {} : { cacheReadPrice: perThousand(cache_read) }),
  ...(cache_write === undefined ? {} : { cacheWritePrice: perThousand(cache_write) }),
  ...(reasoning === undefined ? {} : { reasoningPrice: perThousand(reasoning) }),
});

/** What the user set, as he wrote it. */
interface Own {
  models: Record<string, Price>;
  aliases: Record<string, string>;
}

/**
 * Every priced model under the names that clients look for: `gpt-4o` for what its maker charges, `azure/gpt-4o` for what a
 * seller charges, and the user's own before both. An alias is listed like the model it stands for.
 */
export function publicPrices(shelves: Shelves, { models, aliases }: Own): PriceList {
  const listed = new Map<string, PublicPrice>();
  for (const shelf of shelves.byProvider.values()) {
    for (const { price, matched } of shelf.values()) listed.set(matched, publicPrice(price));
  }
  for (const [name, { price }] of shelves.makers) listed.set(name, publicPrice(price));
  for (const [model, price] of Object.entries(models)) listed.set(model, publicPrice(price));
  for (const [alias, model] of Object.entries(aliases)) {
    const known = listed.get(model) ?? listed.get(model.toLowerCase());
    if (known) listed.set(alias, known);
  }
  return Object.fromEntries([...listed].sort(([a], [b]) => (a < b ? -1 : 1)));
}

import type { Price, PriceTable } from './price-table.ts';
import { modelVendors } from './provider-names.ts';

/** A price, and the row of the list that it comes from: `openai/gpt-4o`. */
export interface PriceMatch {
  price: Price;
  matched: string;
  /** The price is a guess, of the right magnitude. */
  estimated: boolean;
}

/** Prices by lower-case model name. */
export type PriceIndex = ReadonlyMap<string, PriceMatch>;

/** The price list, indexed for lookups. Never changes. */
export interface PriceIndexes {
  byProvider: ReadonlyMap<string, PriceIndex>;
  /** The indexes of the providers whose models a provider sells at their price, its own index first. */
  soldBy: ReadonlyMap<string, readonly PriceIndex[]>;
  /** Prices of models at the vendors that made them. */
  vendors: PriceIndex;
  /** Prices of models that only resellers have, where the resellers agree. */
  resellers: PriceIndex;
  /** Known models without a price per token: they have none, or the resellers disagree. */
  unpriced: ReadonlySet<string>;
}

/** Resellers of one model agree when their prices differ by at most this factor. */
const spreadMax = 2;

export function indexPrices(table: PriceTable): PriceIndexes {
  const byProvider = new Map<string, Map<string, PriceMatch>>();
  for (const [provider, rows] of Object.entries(table.prices)) byProvider.set(provider, indexRows(provider, rows));
  const soldBy = new Map<string, PriceIndex[]>();
  for (const [provider, index] of byProvider) {
    const others = (table.resells[provider] ?? []).flatMap((other) => byProvider.get(other) ?? []);
    soldBy.set(provider, [index, ...others]);
  }
  const vendorPrices = new Map<string, PriceMatch>();
  for (const vendor of modelVendors) {
    for (const [name, match] of byProvider.get(vendor) ?? []) if (!vendorPrices.has(name)) vendorPrices.set(name, match);
  }
  const { resellers, disputed } = compareResellers(byProvider, vendorPrices);
  const unpriced = Object.values(table.unpriced).flatMap((models) => models.flatMap(withBareName));
  return { byProvider, soldBy, vendors: vendorPrices, resellers, unpriced: new Set([...unpriced, ...disputed]) };
}

function indexRows(provider: string, rows: PriceTable['prices'][string]): Map<string, PriceMatch> {
  const index = new Map<string, PriceMatch>();
  for (const [model, { also = [], ...price }] of Object.entries(rows)) {
    const match = { price, matched: `${provider}/${model}`, estimated: price.varies === true };
    for (const name of [model, ...also]) index.set(name.toLowerCase(), match);
  }
  return index;
}

/** `meta-llama/llama-3.3-70b-instruct` is also sent as `llama-3.3-70b-instruct`. */
function withBareName(model: string): string[] {
  const name = model.toLowerCase();
  return name.includes('/') ? [name, name.slice(name.lastIndexOf('/') + 1)] : [name];
}

/** For models that no vendor lists: the middle price when the resellers agree. */
function compareResellers(
  byProvider: ReadonlyMap<string, PriceIndex>,
  vendorPrices: PriceIndex,
): { resellers: PriceIndex; disputed: Set<string> } {
  const matches = new Map<string, Set<PriceMatch>>();
  for (const [provider, index] of byProvider) {
    if (modelVendors.includes(provider)) continue;
    for (const [model, match] of index) {
      for (const name of withBareName(model)) {
        if (!vendorPrices.has(name)) matches.set(name, (matches.get(name) ?? new Set()).add(match));
      }
    }
  }
  const resellers = new Map<string, PriceMatch>();
  const disputed = new Set<string>();
  for (const [name, all] of matches) {
    const ranked = [...all].sort((a, b) => weight(a) - weight(b));
    const [cheapest, middle, highest] = [ranked.at(0), ranked[Math.floor((ranked.length - 1) / 2)], ranked.at(-1)];
    if (!cheapest || !middle || !highest) continue;
    if (weight(highest) > weight(cheapest) * spreadMax) disputed.add(name);
    else resellers.set(name, { ...middle, estimated: true });
  }
  return { resellers, disputed };
}

const weight = ({ price }: PriceMatch) => price.input + price.output;

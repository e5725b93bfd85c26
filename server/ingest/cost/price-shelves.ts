import type { Price, PriceTable } from './price-table.ts';
import { makers } from './provider-names.ts';

/** A price, and the row of the list that it comes from: `openai/gpt-4o`. */
export interface Offer {
  price: Price;
  matched: string;
  /** The price is right in size, but somebody must have guessed. */
  estimated: boolean;
}

/** Offers by lower-case name of a model. */
export type Shelf = ReadonlyMap<string, Offer>;

/** The price list, arranged for looking up. Never changes. */
export interface Shelves {
  byProvider: ReadonlyMap<string, Shelf>;
  /** The providers whose models a provider sells at their price, itself first. */
  soldBy: ReadonlyMap<string, readonly Shelf[]>;
  /** What a model costs at the one who made it. */
  makers: Shelf;
  /** What models cost that only others sell, where the sellers agree. */
  sellers: Shelf;
  /** Models that are known, but whose price per token is not: there is none, or every seller has his own. */
  unpriced: ReadonlySet<string>;
}

/** Sellers of one model may differ by this factor before a guess among them is worth nothing. */
const spreadMax = 2;

export function arrange(table: PriceTable): Shelves {
  const byProvider = new Map<string, Map<string, Offer>>();
  for (const [provider, rows] of Object.entries(table.prices)) byProvider.set(provider, shelfOf(provider, rows));
  const soldBy = new Map<string, Shelf[]>();
  for (const [provider, shelf] of byProvider) {
    const others = (table.resells[provider] ?? []).flatMap((other) => byProvider.get(other) ?? []);
    soldBy.set(provider, [shelf, ...others]);
  }
  const made = new Map<string, Offer>();
  for (const maker of makers) {
    for (const [name, offer] of byProvider.get(maker) ?? []) if (!made.has(name)) made.set(name, offer);
  }
  const { sellers, disputed } = compareSellers(byProvider, made);
  const unpriced = Object.values(table.unpriced).flatMap((models) => models.flatMap(withTail));
  return { byProvider, soldBy, makers: made, sellers, unpriced: new Set([...unpriced, ...disputed]) };
}

function shelfOf(provider: string, rows: PriceTable['prices'][string]): Map<string, Offer> {
  const shelf = new Map<string, Offer>();
  for (const [model, { also = [], ...price }] of Object.entries(rows)) {
    const offer = { price, matched: `${provider}/${model}`, estimated: price.varies === true };
    for (const name of [model, ...also]) shelf.set(name.toLowerCase(), offer);
  }
  return shelf;
}

/** `meta-llama/llama-3.3-70b-instruct` is also asked for as `llama-3.3-70b-instruct`. */
function withTail(model: string): string[] {
  const name = model.toLowerCase();
  return name.includes('/') ? [name, name.slice(name.lastIndexOf('/') + 1)] : [name];
}

/** For models that no maker lists. When the sellers are close, the middle one stands for all. */
function compareSellers(byProvider: ReadonlyMap<string, Shelf>, made: Shelf): { sellers: Shelf; disputed: Set<string> } {
  const offers = new Map<string, Set<Offer>>();
  for (const [provider, shelf] of byProvider) {
    if (makers.includes(provider)) continue;
    for (const [model, offer] of shelf) {
      for (const name of withTail(model)) {
        if (!made.has(name)) offers.set(name, (offers.get(name) ?? new Set()).add(offer));
      }
    }
  }
  const sellers = new Map<string, Offer>();
  const disputed = new Set<string>();
  for (const [name, all] of offers) {
    const ranked = [...all].sort((a, b) => weight(a) - weight(b));
    const [cheapest, middle, dearest] = [ranked.at(0), ranked[Math.floor((ranked.length - 1) / 2)], ranked.at(-1)];
    if (!cheapest || !middle || !dearest) continue;
    if (weight(dearest) > weight(cheapest) * spreadMax) disputed.add(name);
    else sellers.set(name, { ...middle, estimated: true });
  }
  return { sellers, disputed };
}

const weight = ({ price }: Offer) => price.input + price.output;

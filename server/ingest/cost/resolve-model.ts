/**
 * Finds the price of a model (docs/reference/ingest.md#prices). Instrumentations write models in many ways and a near miss is off by
 * factors, so the order is strict: the user's own prices; what the named seller charges; what the maker charges; what the sellers agree
 * on. Within each, the exact name first, then names without date or region, then an id to which the name only adds a version.
 */
import { baseOf, isFree, isOllamaCloud, isOllamaTag, namesOf, splitSeller } from './model-names.ts';
import type { Offer, Shelf, Shelves } from './price-shelves.ts';
import { createProviderNames, LOCAL, makers } from './provider-names.ts';
import { withoutVersion } from './version-suffix.ts';

/** `unknown_model`: no list has it. `no_price`: a list has it, but not by the token, or every seller has his own price. */
export type Unpriced = 'no_price' | 'unknown_model';

/** What the user set, which goes before everything else. */
export interface OwnPrices {
  /** Models as the user writes them, and in lower case. */
  models: Shelf;
  aliases: ReadonlyMap<string, string>;
}

/** An offer, or why there is none. The same object for the same question. */
export type Lookup = (model: string, provider: string) => Offer | Unpriced;

/** Longer texts are not model names, and would only fill memory. */
const modelLengthMax = 300;
const memoMax = 5000;
const notBilled = { input: 0, output: 0 };

const guess = (offer: Offer): Offer => (offer.estimated ? offer : { ...offer, estimated: true });

/** The exact names on all shelves before any guess on one of them. */
function findOn(shelves: readonly Shelf[], names: readonly string[]): Offer | undefined {
  for (const name of names) for (const shelf of shelves) if (shelf.has(name)) return shelf.get(name);
  for (const name of names) {
    for (const shelf of shelves) {
      const kin = withoutVersion(name, (id) => shelf.get(id));
      if (kin) return kin.estimated ? guess(kin.found) : kin.found;
    }
  }
  return undefined;
}

function findExact(shelf: Shelf, names: readonly string[]): Offer | undefined {
  for (const name of names) if (shelf.has(name)) return shelf.get(name);
  return undefined;
}

/** Keeps up to `memoMax` answers, those that there is no price among them. Forgets all at once: real traffic has a few dozen models. */
function remember(look: Lookup): Lookup {
  const memo = new Map<string, Map<string, Offer | Unpriced>>();
  let size = 0;
  return (model, provider) => {
    const known = memo.get(provider)?.get(model);
    if (known !== undefined) return known;
    const answer = look(model, provider);
    if (model.length > modelLengthMax || provider.length > modelLengthMax) return answer;
    if (size >= memoMax) {
      memo.clear();
      size = 0;
    }
    const models = memo.get(provider) ?? new Map<string, Offer | Unpriced>();
    memo.set(provider, models.set(model, answer));
    size++;
    return answer;
  };
}

interface Shop {
  shelves: Shelves;
  own: OwnPrices;
  providerOf: (label: string) => string | null;
}

/** A question, taken apart. */
interface Wanted {
  model: string;
  provider: string;
  names: string[];
  /** Whom to ask, in order. */
  sellers: string[];
}

function takeApart({ own, providerOf }: Shop, sent: string, provider: string): Wanted {
  const called = [sent, ...namesOf(sent)].find((name) => own.aliases.has(name));
  const model = (called === undefined ? undefined : own.aliases.get(called)) ?? sent;
  const split = splitSeller(model);
  const written = providerOf(split.seller);
  const said = providerOf(provider);
  // `openrouter` sells `openai/gpt-4o`, so the span's provider goes first; but a maker's name may only say whose SDK made the call.
  const sellers = said !== null && makers.includes(said) ? [written, said] : [said, written];
  return {
    model,
    provider,
    names: written === null ? namesOf(model) : namesOf(model, split.rest),
    sellers: [...new Set(sellers.filter((seller) => seller !== null))],
  };
}

function findOwn({ own, providerOf }: Shop, { model, provider, names }: Wanted): Offer | undefined {
  const exact = own.models.get(`${provider}/${model}`) ?? own.models.get(model);
  if (exact) return exact;
  const labels = [provider.toLowerCase(), providerOf(provider) ?? ''].filter((label) => label !== '');
  return findOn([own.models], [...names.flatMap((name) => labels.map((label) => `${label}/${name}`)), ...names]);
}

function findListed({ shelves }: Shop, { model, sellers }: Wanted, names: string[]): Offer | undefined {
  for (const [at, seller] of sellers.entries()) {
    const found = findOn(shelves.soldBy.get(seller) ?? [], names);
    // Sold by the first, priced by the second: the span does not say what the first one asks.
    if (found) return at === 0 ? found : guess(found);
  }
  // `openai` is what SDKs say of every compatible server, so a tag of Ollama still means the user's machine.
  if (isOllamaTag(model) && sellers.every((seller) => seller === 'openai'))
    return { price: notBilled, matched: `${LOCAL}/${model}`, estimated: true };
  const made = findOn([shelves.makers], names);
  if (made) return sellers.length > 0 ? guess(made) : made;
  return findExact(shelves.sellers, names);
}

function find(shop: Shop, wanted: Wanted): Offer | undefined {
  const mine = findOwn(shop, wanted);
  if (mine) return mine;
  const { model, names, sellers } = wanted;
  if (sellers[0] === LOCAL) return isOllamaCloud(model) ? undefined : { price: notBilled, matched: `${LOCAL}/${model}`, estimated: false };
  if (isFree(model)) return { price: notBilled, matched: `${sellers[0] ?? 'openrouter'}/${model}`, estimated: false };
  const listed = findListed(shop, wanted, names);
  if (listed) return listed;
  const base = findListed(shop, wanted, baseOf(names));
  return base && guess(base);
}

export function createLookup(shelves: Shelves, own: OwnPrices): Lookup {
  const shop: Shop = { shelves, own, providerOf: createProviderNames(shelves.byProvider.keys()) };
  return remember((sent, provider) => {
    const model = sent.trim();
    if (model === '' || model.length > modelLengthMax || provider.length > modelLengthMax) return 'unknown_model';
    const wanted = takeApart(shop, model, provider);
    return find(shop, wanted) ?? (wanted.names.some((name) => shelves.unpriced.has(name)) ? 'no_price' : 'unknown_model');
  });
}

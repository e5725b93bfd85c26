/**
 * Finds the price of a model (docs/reference/ingest.md#prices). Instrumentations name models in many ways, and the price of a similar model
 * may be wrong by a factor, so the order is strict: the user's prices; those of the named provider; those of the vendor; those on which the
 * resellers agree. Within each, the exact name first, then names without date or region, then an id to which the name only adds a version.
 */
import { baseOf, isFree, isOllamaCloud, isOllamaTag, namesOf, splitProvider } from './model-names.ts';
import type { PriceIndex, PriceIndexes, PriceMatch } from './price-index.ts';
import { createProviderNames, LOCAL, modelVendors } from './provider-names.ts';
import { withoutVersion } from './version-suffix.ts';

/** `unknown_model`: no list has it. `no_price`: a list has it, but not by the token, or the resellers disagree. */
export type Unpriced = 'no_price' | 'unknown_model';

/** The user's prices, which override everything else. */
export interface OwnPrices {
  /** Model names as written by the user, and in lower case. */
  models: PriceIndex;
  aliases: ReadonlyMap<string, string>;
}

/** A price, or the reason why there is none. Returns the same object for the same arguments. */
export type Lookup = (model: string, provider: string) => PriceMatch | Unpriced;

/** Longer texts are not model names and would only use memory. */
const modelLengthMax = 300;
const memoMax = 5000;
const notBilled = { input: 0, output: 0 };

const guess = (match: PriceMatch): PriceMatch => (match.estimated ? match : { ...match, estimated: true });

/** Looks up exact names in all indexes before it matches versions in any. */
function findIn(indexes: readonly PriceIndex[], names: readonly string[]): PriceMatch | undefined {
  for (const name of names) for (const index of indexes) if (index.has(name)) return index.get(name);
  for (const name of names) {
    for (const index of indexes) {
      const match = withoutVersion(name, (id) => index.get(id));
      if (match) return match.estimated ? guess(match.found) : match.found;
    }
  }
  return undefined;
}

function findExact(index: PriceIndex, names: readonly string[]): PriceMatch | undefined {
  for (const name of names) if (index.has(name)) return index.get(name);
  return undefined;
}

/** Remembers up to `memoMax` answers, also that there is no price. Forgets all at once: real traffic has a few dozen models. */
function memoise(lookup: Lookup): Lookup {
  const memo = new Map<string, Map<string, PriceMatch | Unpriced>>();
  let size = 0;
  return (model, provider) => {
    const existing = memo.get(provider)?.get(model);
    if (existing !== undefined) return existing;
    const answer = lookup(model, provider);
    if (model.length > modelLengthMax || provider.length > modelLengthMax) return answer;
    if (size >= memoMax) {
      memo.clear();
      size = 0;
    }
    const models = memo.get(provider) ?? new Map<string, PriceMatch | Unpriced>();
    memo.set(provider, models.set(model, answer));
    size++;
    return answer;
  };
}

interface PriceSources {
  indexes: PriceIndexes;
  own: OwnPrices;
  providerOf: (label: string) => string | null;
}

/** A parsed lookup. */
interface ModelQuery {
  model: string;
  provider: string;
  names: string[];
  /** Providers to try, in order. */
  providers: string[];
}

function parseQuery({ own, providerOf }: PriceSources, sentModel: string, provider: string): ModelQuery {
  const aliasName = [sentModel, ...namesOf(sentModel)].find((name) => own.aliases.has(name));
  const model = (aliasName === undefined ? undefined : own.aliases.get(aliasName)) ?? sentModel;
  const split = splitProvider(model);
  const nameProvider = providerOf(split.provider);
  const spanProvider = providerOf(provider);
  // `openrouter` sells `openai/gpt-4o`, so the provider of the span goes first; but the name of a vendor may only mean its SDK.
  const providers =
    spanProvider !== null && modelVendors.includes(spanProvider) ? [nameProvider, spanProvider] : [spanProvider, nameProvider];
  return {
    model,
    provider,
    names: nameProvider === null ? namesOf(model) : namesOf(model, split.rest),
    providers: [...new Set(providers.filter((label) => label !== null))],
  };
}

function findOwn({ own, providerOf }: PriceSources, { model, provider, names }: ModelQuery): PriceMatch | undefined {
  const exact = own.models.get(`${provider}/${model}`) ?? own.models.get(model);
  if (exact) return exact;
  const labels = [provider.toLowerCase(), providerOf(provider) ?? ''].filter((label) => label !== '');
  return findIn([own.models], [...names.flatMap((name) => labels.map((label) => `${label}/${name}`)), ...names]);
}

function findListed({ indexes }: PriceSources, { model, providers }: ModelQuery, names: string[]): PriceMatch | undefined {
  for (const [at, provider] of providers.entries()) {
    const found = findIn(indexes.soldBy.get(provider) ?? [], names);
    // Priced by a later provider than the first, whose price is unknown.
    if (found) return at === 0 ? found : guess(found);
  }
  // SDKs report `openai` for every compatible server, so a tag of Ollama still means the user's machine.
  if (isOllamaTag(model) && providers.every((provider) => provider === 'openai'))
    return { price: notBilled, matched: `${LOCAL}/${model}`, estimated: true };
  const vendorPrice = findIn([indexes.vendors], names);
  if (vendorPrice) return providers.length > 0 ? guess(vendorPrice) : vendorPrice;
  return findExact(indexes.resellers, names);
}

function find(sources: PriceSources, query: ModelQuery): PriceMatch | undefined {
  const ownPrice = findOwn(sources, query);
  if (ownPrice) return ownPrice;
  const { model, names, providers } = query;
  if (providers[0] === LOCAL)
    return isOllamaCloud(model) ? undefined : { price: notBilled, matched: `${LOCAL}/${model}`, estimated: false };
  if (isFree(model)) return { price: notBilled, matched: `${providers[0] ?? 'openrouter'}/${model}`, estimated: false };
  const listed = findListed(sources, query, names);
  if (listed) return listed;
  const base = findListed(sources, query, baseOf(names));
  return base && guess(base);
}

export function createLookup(indexes: PriceIndexes, own: OwnPrices): Lookup {
  const sources: PriceSources = { indexes, own, providerOf: createProviderNames(indexes.byProvider.keys()) };
  return memoise((sentModel, provider) => {
    const model = sentModel.trim();
    if (model === '' || model.length > modelLengthMax || provider.length > modelLengthMax) return 'unknown_model';
    const query = parseQuery(sources, model, provider);
    return find(sources, query) ?? (query.names.some((name) => indexes.unpriced.has(name)) ? 'no_price' : 'unknown_model');
  });
}

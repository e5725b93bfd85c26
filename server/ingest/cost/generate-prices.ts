/**
 * Writes `prices.json` from the npm package `@pydantic/genai-prices` (MIT, see NOTICE.md). Run it by hand when prices change:
 *
 *   npm pack @pydantic/genai-prices && tar xzf pydantic-genai-prices-*.tgz      (in a scratch folder)
 *   node server/ingest/cost/generate-prices.ts <scratch folder>/package [YYYY-MM-DD]
 *   npx biome format --write server/ingest/cost/prices.json
 *
 * The date selects among the dated prices of a model; the default is today. No code of the package runs in the product.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { namesOf } from './model-names.ts';
import type { Price, PriceRow, PriceTable, Rates } from './price-table.ts';

type Match =
  | { or: Match[] }
  | { and: Match[] }
  | { equals: string }
  | { starts_with: string }
  | { ends_with: string }
  | { contains: string }
  | { regex: string };
type SourcePrice = Record<string, number | { base: number; tiers: { start: number; price: number }[] } | undefined>;
interface DatedPrice {
  constraint?: { type: 'start_date'; start_date: string } | { type: 'time_of_date'; start_time: string; end_time: string };
  prices: SourcePrice;
}
interface SourceModel {
  id: string;
  match: Match;
  prices: SourcePrice | DatedPrice[];
  context_window?: number;
}
export interface SourceProvider {
  id: string;
  fallback_model_providers?: string[];
  models: SourceModel[];
}

/** OpenAI publishes the weights of these models: each host sets its own price, and they are free on the user's machine. */
const notSold = /^openai\/gpt-oss/;

/** Tokens, as Google documents them; the list has none for these. */
const documentedWindows: Readonly<Record<string, number>> = {
  'google/gemini-2.5-pro': 1_048_576,
  'google/gemini-3-pro-preview': 1_048_576,
  'google/gemini-3.1-pro-preview': 1_048_576,
};

const sixDigits = (value: number) => Number(value.toPrecision(6));

function matches(match: Match, name: string): boolean {
  if ('or' in match) return match.or.some((part) => matches(part, name));
  if ('and' in match) return match.and.every((part) => matches(part, name));
  if ('equals' in match) return name === match.equals.toLowerCase();
  if ('starts_with' in match) return name.startsWith(match.starts_with.toLowerCase());
  if ('ends_with' in match) return name.endsWith(match.ends_with.toLowerCase());
  if ('contains' in match) return name.includes(match.contains.toLowerCase());
  return new RegExp(match.regex).test(name);
}

/** The texts of a rule, as names. We look up whole names and match versions by our own rules, so a prefix counts as a name too. */
function namesIn(match: Match): string[] {
  if ('or' in match) return match.or.flatMap(namesIn);
  if ('and' in match) return match.and.flatMap(namesIn);
  if ('regex' in match) return [];
  return Object.values(match).map(clean);
}

/** `regional.` is the prefix of the list for any Bedrock region. */
const clean = (name: string) => name.replace(/^regional\./, '').replace(/[-@:.]+$/, '');

const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

function applies({ constraint }: DatedPrice, day: string, minute: number): boolean {
  if (!constraint) return true;
  if (constraint.type === 'start_date') return constraint.start_date <= day;
  const [start, end] = [minutes(constraint.start_time), minutes(constraint.end_time)];
  return start <= end ? minute >= start && minute < end : minute >= start || minute < end;
}

/** The price on a date. If it depends on the hour, the price that applies longest, marked as `varies`. */
function priceOn(prices: SourceModel['prices'], day: string): Price | null {
  if (!Array.isArray(prices)) return rowOf(prices);
  const halfHours = new Map<DatedPrice, number>();
  for (let minute = 0; minute < 1440; minute += 30) {
    const found = prices.findLast((dated) => applies(dated, day, minute)) ?? prices[0];
    if (found) halfHours.set(found, (halfHours.get(found) ?? 0) + 1);
  }
  const longest = [...halfHours].sort((a, b) => b[1] - a[1])[0]?.[0];
  const row = longest && rowOf(longest.prices);
  if (!row) return null;
  const since = longest.constraint?.type === 'start_date' ? { effective_from: longest.constraint.start_date } : {};
  return { ...row, ...since, ...(halfHours.size > 1 ? { varies: true } : {}) };
}

function ratesOf(read: (key: string) => number | undefined): Rates {
  const [cacheRead, cacheWrite] = [read('cache_read_mtok'), read('cache_write_mtok')];
  return {
    input: sixDigits(read('input_mtok') ?? 0),
    output: sixDigits(read('output_mtok') ?? 0),
    ...(cacheRead === undefined ? {} : { cache_read: sixDigits(cacheRead) }),
    ...(cacheWrite === undefined ? {} : { cache_write: sixDigits(cacheWrite) }),
  };
}

/** Null when no token has a price. A price of 0 counts as no price: the list does not say whether it is free or unknown. */
function rowOf(source: SourcePrice): Price | null {
  const base = (key: string) => {
    const price = source[key];
    return typeof price === 'object' ? price.base : price;
  };
  const rates = ratesOf(base);
  if (rates.input === 0 && rates.output === 0) return null;
  const reasoning = base('output_reasoning_mtok');
  const starts = Object.values(source).flatMap((price) => (typeof price === 'object' ? price.tiers.map(({ start }) => start) : []));
  const above = Math.min(...starts);
  const inTier = (key: string) => {
    const price = source[key];
    return typeof price === 'object' ? price.tiers.find(({ start }) => start === above)?.price : price;
  };
  return {
    ...rates,
    ...(reasoning === undefined ? {} : { reasoning: sixDigits(reasoning) }),
    ...(starts.length === 0 ? {} : { tier: { above, ...ratesOf(inTier) } }),
  };
}

/** Names other than the id, without those that resolve to the same model anyway, such as the id with a date. */
function otherNames(model: SourceModel, { models }: SourceProvider): string[] {
  const modelOf = (name: string) =>
    models.find(({ match }) => matches(match, name)) ?? models.find(({ id }) => clean(id).toLowerCase() === name);
  const isOwn = (name: string) => (modelOf(name) ?? model) === model;
  const id = clean(model.id).toLowerCase();
  const names = namesIn(model.match).map((name) => name.toLowerCase());
  const ids = new Set(models.map((other) => clean(other.id).toLowerCase()));
  const resolvesToModel = (name: string) => namesOf(name).find((candidate) => ids.has(candidate)) === id;
  return [...new Set(names)].filter((name) => name.length >= 3 && !ids.has(name) && isOwn(name) && !resolvesToModel(name)).sort();
}

export function buildTable(providers: SourceProvider[], source: PriceTable['source']): PriceTable {
  const table: PriceTable = { source, prices: {}, unpriced: {}, resells: {} };
  for (const provider of [...providers].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const rows: [string, PriceRow][] = [];
    const unpriced: string[] = [];
    for (const model of provider.models.filter(({ id }) => !notSold.test(`${provider.id}/${id}`))) {
      const price = priceOn(model.prices, source.date);
      const also = otherNames(model, provider);
      const window = model.context_window ?? documentedWindows[`${provider.id}/${model.id}`];
      const extras = { ...(window ? { context_window: window } : {}), ...(also.length > 0 ? { also } : {}) };
      if (price) rows.push([clean(model.id), { ...price, ...extras }]);
      else if (!model.id.endsWith(':free')) unpriced.push(clean(model.id), ...also);
    }
    if (rows.length > 0) table.prices[provider.id] = Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : 1)));
    if (unpriced.length > 0) table.unpriced[provider.id] = [...new Set(unpriced)].sort();
    if (provider.fallback_model_providers) table.resells[provider.id] = provider.fallback_model_providers;
  }
  return table;
}

async function generate(folder: string, date: string): Promise<void> {
  const manifest: { name: string; version: string; license: string } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (!['MIT', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause'].includes(manifest.license))
    throw new Error(`The licence ${manifest.license} is not allowed`);
  // Without a call to update, this returns the list in the package. No network.
  const { waitForUpdate }: { waitForUpdate: () => Promise<SourceProvider[]> } = await import(
    pathToFileURL(join(folder, 'dist/index.js')).href
  );
  const { name, version, license } = manifest;
  const table = buildTable(await waitForUpdate(), { package: name, version, license, date, unit: 'USD per million tokens' });
  // One model per line, so that a change of prices gives a readable diff.
  const text = JSON.stringify(table, null, 1).replaceAll(/\{\n {4}[\s\S]*?\n {3}\}/g, (row) => JSON.stringify(JSON.parse(row)));
  writeFileSync(join(import.meta.dirname, 'prices.json'), `${text}\n`);
}

if (import.meta.main) {
  const [folder, date = new Date().toISOString().slice(0, 10)] = process.argv.slice(2);
  if (!folder) throw new Error('Pass the folder of the unpacked package');
  await generate(resolve(folder), date);
}

/**
 * The names under which a price list may have a model, the most specific first (docs/reference/ingest.md#prices). Every step is
 * applied to every name so far, so that all combinations are tried.
 */

type Step = (name: string) => string | undefined;

const region = /^(?:us|eu|ap|apac|jp|au|ca|sa|in|us-gov|global)\./;
/** Bedrock ids are `vendor.model`. Without a provider, this prefix identifies a Bedrock id. */
const bedrockVendor =
  /^(?:ai21|amazon|anthropic|cohere|deepseek|google|meta|minimax|mistral|moonshotai|moonshot|nvidia|openai|qwen|stability|twelvelabs|writer|zai)\.(?=[a-z])/;

const cut =
  (end: RegExp): Step =>
  (name) => {
    const at = name.search(end);
    return at > 0 ? name.slice(0, at) : undefined;
  };

const steps: Step[] = [
  // Azure deploys a fine-tuned model as `gpt-4o-mini-2024-07-18.ft-0123abcd`.
  (name) => (/\.ft-[\w-]+$/.test(name) ? `ft:${name.slice(0, name.lastIndexOf('.ft-'))}` : undefined),
  (name) => /^ft:[^:]+(?=:)/.exec(name)?.[0],
  (name) => (name.includes('/') ? name.slice(name.lastIndexOf('/') + 1) : undefined),
  // Bedrock's `-v1:0`. A second version is another model with another price (Titan embeddings), except after a date (Claude 3.5).
  cut(/-v1(?::\d+)?(?::\d+k)?$/),
  cut(/(?<=-20\d{6})-v\d+(?::\d+)?(?::\d+k)?$/),
  cut(/(?:-20\d\d-\d\d-\d\d|[-@]20\d{6}|@\d{3}|-latest|@latest|@default)$/),
  // Regions come last: `global.` is cheaper than the plain id on Bedrock, so a name that keeps it must win.
  (name) => (region.test(name) ? name.replace(region, '') : undefined),
  (name) => (bedrockVendor.test(name) ? name.replace(bedrockVendor, '') : undefined),
];

/** Lower-case names to look up, without duplicates, in order of preference: `spellings` as sent, then their shorter forms. */
export function namesOf(...spellings: string[]): string[] {
  const names = [...new Set(spellings.map((spelling) => spelling.toLowerCase()))];
  for (const step of steps) {
    // Each step is applied once to the names before it, and adds its results.
    for (const name of [...names]) {
      const next = step(name);
      if (next && !names.includes(next)) names.push(next);
    }
  }
  return names;
}

/** The base models of fine-tuned ones, which cost less. */
export function baseOf(names: string[]): string[] {
  return names.filter((name) => name.startsWith('ft:')).map((name) => name.slice(3));
}

/** A size, a quantisation or `latest` after a colon: how Ollama names models. Providers that bill tokens do not use this form. */
const ollamaTag = /^[\w.\-/]+:(?:latest|e?\d+(?:\.\d+)?[bm](?:-[\w.-]+)?|[\w.-]+-q\d[\w.-]*|q\d[\w.-]*)$/;

export const isOllamaTag = (model: string) => ollamaTag.test(model.toLowerCase()) && !isOllamaCloud(model);

/** Runs on Ollama's machines, with a subscription. */
export const isOllamaCloud = (model: string) => /[:-]cloud$/i.test(model);

export const isFree = (model: string) => /:free$/i.test(model);

/** The provider in the name of a model, or '', and the name without it. The provider is not checked to exist. */
export function splitProvider(model: string): { provider: string; rest: string } {
  const name = model.toLowerCase();
  if (name.startsWith('arn:aws') || bedrockVendor.test(name.replace(region, ''))) return { provider: 'aws', rest: model };
  if (/(?:^|\/)publishers\/[^/]+\/models\//.test(name)) return { provider: 'google', rest: model };
  if (name.startsWith('accounts/fireworks/')) return { provider: 'fireworks', rest: model };
  const end = name.search(/[/:]/);
  if (end <= 0 || (name.charAt(end) === ':' && isOllamaTag(name))) return { provider: '', rest: model };
  return { provider: name.slice(0, end), rest: model.slice(end + 1) };
}

/**
 * The names under which a model may stand in a price list, the most specific first (docs/reference/ingest.md#prices). Every step is
 * applied to every name so far, so that all combinations are tried without a search.
 */

type Step = (name: string) => string | undefined;

const region = /^(?:us|eu|ap|apac|jp|au|ca|sa|in|us-gov|global)\./;
/** Bedrock writes `maker.model`. Also the sign by which a Bedrock id is known when no provider is named. */
const bedrockMaker =
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
  (name) => (bedrockMaker.test(name) ? name.replace(bedrockMaker, '') : undefined),
];

/** Lower-case names to look for, none twice, in the order in which to try them: `spellings` as they are sent, then what is left of them. */
export function namesOf(...spellings: string[]): string[] {
  const names = [...new Set(spellings.map((spelling) => spelling.toLowerCase()))];
  for (const step of steps) {
    // The list grows by what the step makes of it, and the step is done with those at once.
    for (const name of [...names]) {
      const next = step(name);
      if (next && !names.includes(next)) names.push(next);
    }
  }
  return names;
}

/** The model that a fine-tuned one was made from. It costs less than the fine-tuned one. */
export function baseOf(names: string[]): string[] {
  return names.filter((name) => name.startsWith('ft:')).map((name) => name.slice(3));
}

/** A size, a quantisation or `latest` after a colon: how Ollama names what it runs. Nobody who bills tokens writes this. */
const ollamaTag = /^[\w.\-/]+:(?:latest|e?\d+(?:\.\d+)?[bm](?:-[\w.-]+)?|[\w.-]+-q\d[\w.-]*|q\d[\w.-]*)$/;

export const isOllamaTag = (model: string) => ollamaTag.test(model.toLowerCase()) && !isOllamaCloud(model);

/** Runs on Ollama's machines, against a subscription. */
export const isOllamaCloud = (model: string) => /[:-]cloud$/i.test(model);

export const isFree = (model: string) => /:free$/i.test(model);

/** Who sells a model by its name, if anyone, and the name without him. Whether such a seller exists is for the caller to know. */
export function splitSeller(model: string): { seller: string; rest: string } {
  const name = model.toLowerCase();
  if (name.startsWith('arn:aws') || bedrockMaker.test(name.replace(region, ''))) return { seller: 'aws', rest: model };
  if (/(?:^|\/)publishers\/[^/]+\/models\//.test(name)) return { seller: 'google', rest: model };
  if (name.startsWith('accounts/fireworks/')) return { seller: 'fireworks', rest: model };
  const end = name.search(/[/:]/);
  if (end <= 0 || (name.charAt(end) === ':' && isOllamaTag(name))) return { seller: '', rest: model };
  return { seller: name.slice(0, end), rest: model.slice(end + 1) };
}

/**
 * Suffixes of a known id that do not make it another model. Everything else is refused: `gpt-5.4` is not `gpt-5`, `gpt-4.5` is not
 * `gpt-4`, `claude-opus-4-1` is not `claude-opus-4`, `gpt-4o-mini` is not `gpt-4o`. A wrong price is worse than none.
 */

const date = String.raw`[-@](?:20\d\d-\d\d-\d\d|20\d{6}|\d{6}|(?:0[1-9]|1[0-2])-20\d\d)`;
const stage = String.raw`-(?:preview|exp|experimental|beta|rc\d?|latest)(?:-(?:0[1-9]|1[0-2])-\d\d(?:\d\d)?)?`;
/** `-001`, `-0613`, `@002`, `-2507`. Fewer digits are a minor version. */
const build = String.raw`-0\d\d|-\d{4}|@\d{3}`;
const tag = String.raw`:[a-z][a-z0-9]*|:\d+(?:k)?`;
/** The same weights served differently, or the same model with another reasoning effort: usually at the same rate, without guarantee. */
const service =
  '-(?:instruct|chat|it|maas|fp8|fp16|bf16|int4|int8|awq|gptq|gguf|mlx|thinking|reasoning|minimal|low|medium|high|xhigh)' +
  '|:(?:nitro|floor|online|exacto|batch|flex|priority)';

const same = new RegExp(`^(?:${date}|${stage}|${build}|${tag})+$`);
const similar = new RegExp(`^(?:${service}|${date}|${stage}|${build}|${tag})+$`);
/** Mistral and Moonshot use year and month as version, and new versions have had new prices. */
const yearAndMonth = /-2[3-9](?:0[1-9]|1[0-2])(?!\d)/;
/** Tags whose price differs from that of the model itself. */
const otherPriceTag = /:(?:nitro|floor|online|exacto|batch|flex|priority|extended)(?::|$)/;

/** A date without a year counts only after such a stage, which may be part of the known id: `gemini-3-flash-preview` and `-06-17`. */
const endsInStage = /-(?:preview|exp|experimental|beta)$/;

const boundaries = '-:@';
const baseLengthMin = 4;

/** `same`: another build of the model. `similar`: the price is a guess. Null: another model. */
function similarityOf(rest: string): 'same' | 'similar' | null {
  if (same.test(rest)) return otherPriceTag.test(rest) || yearAndMonth.test(rest) ? 'similar' : 'same';
  return similar.test(rest) ? 'similar' : null;
}

/** The longest id found by `find` to which `name` only adds a version. A dot or a slash never ends an id. */
export function withoutVersion<T>(name: string, find: (id: string) => T | undefined): { found: T; estimated: boolean } | null {
  for (let end = name.length - 1; end >= baseLengthMin; end--) {
    if (!boundaries.includes(name.charAt(end))) continue;
    const id = name.slice(0, end);
    const found = find(id);
    if (found === undefined) continue;
    const similarity = similarityOf(`${endsInStage.exec(id)?.[0] ?? ''}${name.slice(end)}`);
    if (similarity) return { found, estimated: similarity === 'similar' };
  }
  return null;
}

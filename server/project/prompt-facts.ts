/** Front matter of prompts for lists, read without parsing the templates. */
import { parseDocument } from 'yaml';
import { type PromptKind, promptKinds } from './mdx/front-matter.ts';
import { promptNameOf } from './mdx/prompt-name.ts';

export interface PromptFacts {
  /** Null when the front matter has none or cannot be read. */
  name: string | null;
  /** From the configuration that is present: `text_config` and so on, the first of `promptKinds` for several. Null for none. */
  kind: PromptKind | null;
  /** `model_name` of its configurations, each once. */
  models: string[];
  /** Dataset named in `test_settings`, unresolved; null for none. */
  dataset: string | null;
}

const charactersMax = 64 * 1024;
const aliasesMax = 100;
const frontMatter = /^---[ \t]*(?:\r\n|\n|\r)([\s\S]*?)(?:\r\n|\n|\r)---[ \t]*(?:\r\n|\n|\r|$)/;

export function promptFactsOf(text: string): PromptFacts {
  const fields = fieldsOf(text);
  const configs = promptKinds.flatMap((kind) => {
    const config = objectOf(fields[`${kind}_config`]);
    return config ? [{ kind, model: config['model_name'] }] : [];
  });
  const dataset = objectOf(fields['test_settings'])?.['dataset'];
  return {
    name: promptNameOf(text),
    kind: configs[0]?.kind ?? null,
    models: [...new Set(configs.flatMap(({ model }) => (typeof model === 'string' && model !== '' ? [model] : [])))],
    dataset: typeof dataset === 'string' && dataset !== '' ? dataset : null,
  };
}

/** Empty for invalid YAML, or when aliases expand too far. */
function fieldsOf(text: string): Record<string, unknown> {
  const yaml = frontMatter.exec(text.slice(0, charactersMax + 16))?.[1];
  if (yaml === undefined) return {};
  try {
    return objectOf(parseDocument(yaml, { schema: 'core', logLevel: 'silent' }).toJS({ maxAliasCount: aliasesMax })) ?? {};
  } catch {
    return {};
  }
}

const objectOf = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;

import type { SnapshotFile } from '../../control/snapshot-store.ts';
import { isLegalName } from '../legal-name.ts';
import { configOf, templatesPath } from '../project-config.ts';
import { ProjectError } from '../project-error.ts';
import type { DatasetFile } from '../project-files.ts';
import { type PromptFacts, promptFactsOf } from '../prompt-facts.ts';

/** Prompts and datasets of a snapshot, by path in code unit order. */
export interface SnapshotIndex {
  prompts: (PromptFacts & { path: string })[];
  datasets: Omit<DatasetFile, 'created_at'>[];
}

/** @param folder of the templates */
export function indexOf(files: readonly SnapshotFile[], folder: string): SnapshotIndex {
  const below = files
    .filter(({ path }) => path.startsWith(`${folder}/`))
    .map(({ path, text }) => ({ path: path.slice(folder.length + 1), text }))
    .filter(({ path }) => isLegalName(path));
  const withSuffix = (suffix: string) =>
    below.filter(({ path }) => path.endsWith(suffix) && !path.endsWith(`/${suffix}`) && path !== suffix);
  return {
    prompts: withSuffix('.prompt.mdx').map(({ path, text }) => ({ path, ...promptFactsOf(text) })),
    datasets: withSuffix('.jsonl').map(({ path, text }) => ({ name: path, row_count: rowCountOf(text) })),
  };
}

/** How many lines are not blank. */
export const rowCountOf = (text: string): number => text.split('\n').filter((line) => /[^ \t\r\ufeff]/.test(line)).length;

/** Folder of the templates. Requests for an invalid configuration report it; templates use the default folder meanwhile. */
export function templatesOf(config: string | null): string {
  return templatesPath(config === null ? null : parsedOrNull(config)).join('/');
}

function parsedOrNull(text: string): Record<string, unknown> | null {
  try {
    return configOf(text, 'the configuration');
  } catch (error) {
    if (error instanceof ProjectError) return null;
    throw error;
  }
}

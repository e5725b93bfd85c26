/** Search parameters of the prompts: environment, open prompt, its tab, and compared versions. */
import { z } from 'zod';
import { readUrl, urlOneOf, urlText } from '../../model/filter/url-shapes.ts';

const promptTabs = ['versions', 'source', 'tree', 'config'] as const;
export type PromptTab = 'text' | (typeof promptTabs)[number];

const shape = z.object({
  /** Name of the environment; absent for the default one, and for a project folder. */
  environment: urlText,
  path: urlText,
  view: urlOneOf(promptTabs),
  /** Deployments of the compared versions: the newer one, and its base. */
  version: urlText,
  base: urlText,
});
export type PromptsView = z.output<typeof shape>;

export const readPromptsUrl = (search: unknown): PromptsView => readUrl(shape, search);

/** What of the prompts is in the address: whose they are, the one that is read, how, and which of its versions are compared. */
import { z } from 'zod';
import { readUrl, urlOneOf, urlText } from '../../model/url-shapes.ts';

const promptTabs = ['versions', 'source', 'tree', 'config'] as const;
export type PromptTab = 'text' | (typeof promptTabs)[number];

const shape = z.object({
  /** By name; absent for the default one, and for a folder. */
  environment: urlText,
  path: urlText,
  view: urlOneOf(promptTabs),
  /** The deployments whose versions are compared: the newer one, and what it is compared with. */
  version: urlText,
  base: urlText,
});
export type PromptsView = z.output<typeof shape>;

export const readPromptsUrl = (search: unknown): PromptsView => readUrl(shape, search);

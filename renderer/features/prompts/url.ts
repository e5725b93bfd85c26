/** What of the prompts is in the address: the one that is read, and how. */
import { z } from 'zod';
import { readUrl, urlOneOf, urlText } from '../../model/url-shapes.ts';

const promptLooks = ['tree', 'config'] as const;

const shape = z.object({ path: urlText, view: urlOneOf(promptLooks) });
export type PromptsView = z.output<typeof shape>;

export const readPromptsUrl = (search: unknown): PromptsView => readUrl(shape, search);

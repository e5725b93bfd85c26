/** What of the datasets is in the address: the dataset that is open, its row, and what is being imported into it. */
import { z } from 'zod';
import { readUrl, urlOneOf, urlText } from '../../model/url-shapes.ts';

const importSources = ['traces', 'spans'] as const;
export type ImportSource = (typeof importSources)[number];

const shape = z.object({
  name: urlText,
  row: z.coerce.number().int().min(0).optional().catch(undefined),
  from: urlOneOf(importSources),
  /** Comma list of what is chosen; for spans each as `trace:span`. Has room for as many as one import takes. */
  ids: z.string().trim().min(1).max(10_000).optional().catch(undefined),
});
export type DatasetsView = z.output<typeof shape>;

export const readDatasetsUrl = (search: unknown): DatasetsView => readUrl(shape, search);

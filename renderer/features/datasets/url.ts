/** Search parameters of the datasets: open dataset, row and import. */
import { z } from 'zod';
import { readUrl, urlOneOf, urlText } from '../../model/filter/url-shapes.ts';

const importSources = ['traces', 'spans'] as const;
export type ImportSource = (typeof importSources)[number];

const shape = z.object({
  name: urlText,
  row: z.coerce.number().int().min(0).optional().catch(undefined),
  from: urlOneOf(importSources),
});
export type DatasetsView = z.output<typeof shape>;

export const readDatasetsUrl = (search: unknown): DatasetsView => readUrl(shape, search);

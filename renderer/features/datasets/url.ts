/** Search parameters of the datasets: open dataset, row, import and form. */
import { z } from 'zod';
import { readUrl, urlOneOf, urlText } from '../../model/filter/url-shapes.ts';

const importSources = ['traces', 'spans'] as const;
export type ImportSource = (typeof importSources)[number];

const shape = z.object({
  name: urlText,
  row: z.coerce.number().int().min(0).optional().catch(undefined),
  from: urlOneOf(importSources),
  /** The form that starts a run on the dataset is open. */
  run: urlOneOf(['experiment']),
});
export type DatasetsView = z.output<typeof shape>;

export const readDatasetsUrl = (search: unknown): DatasetsView => readUrl(shape, search);

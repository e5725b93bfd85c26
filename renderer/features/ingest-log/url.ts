/** Search parameters of the ingest log. */
import { z } from 'zod';
import { readUrl, urlOneOf, urlText } from '../../model/filter/url-shapes.ts';

const shape = z.object({ search: urlText, only: urlOneOf(['refused']), entry: urlText });
export type IngestLogView = z.output<typeof shape>;

export const readIngestLogUrl = (search: unknown): IngestLogView => readUrl(shape, search);

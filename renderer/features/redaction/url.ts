/** Search parameters of the redaction page: destination, and the previewed trace. */
import { z } from 'zod';
import { readUrl, urlText } from '../../model/filter/url-shapes.ts';

const shape = z.object({ name: urlText, trace: urlText });
export type RedactionView = z.output<typeof shape>;

export const readRedactionUrl = (search: unknown): RedactionView => readUrl(shape, search);

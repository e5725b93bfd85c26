/** What of the privacy page is in the address: which destination its rules are for, and the trace they are shown on. */
import { z } from 'zod';
import { readUrl, urlText } from '../../model/url-shapes.ts';

const shape = z.object({ name: urlText, trace: urlText });
export type RedactionView = z.output<typeof shape>;

export const readRedactionUrl = (search: unknown): RedactionView => readUrl(shape, search);

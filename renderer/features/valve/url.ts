/** What of the privacy page is in the address: which destination its rules are for, and the trace they are shown on. */
import { z } from 'zod';
import { readUrl, urlText } from '../../model/url-shapes.ts';

const shape = z.object({ name: urlText, trace: urlText });
export type PrivacyView = z.output<typeof shape>;

export const readPrivacyUrl = (search: unknown): PrivacyView => readUrl(shape, search);

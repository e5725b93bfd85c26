/** Search parameters of the inbox: the notice to open. */
import { z } from 'zod';
import { readUrl, urlText } from '../../model/filter/url-shapes.ts';

const shape = z.object({ open: urlText });
export type InboxView = z.output<typeof shape>;

export const readInboxUrl = (search: unknown): InboxView => readUrl(shape, search);

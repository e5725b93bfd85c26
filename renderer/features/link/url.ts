/** What of a machine that waits is in the address: the code that it shows. */
import { z } from 'zod';
import { readUrl, urlText } from '../../model/url-shapes.ts';

const linkShape = z.object({ code: urlText });

export const readLinkUrl = (search: unknown): z.output<typeof linkShape> => readUrl(linkShape, search);

/** As the machine shows it, however it was typed. */
export const shownCode = (typed: string): string =>
  typed
    .toUpperCase()
    .replace(/[^A-Z]/g, '')
    .replace(/^(.{4})(?=.)/, '$1-');

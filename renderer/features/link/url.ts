/** Search parameters of device sign-in: the code. */
import { z } from 'zod';
import { readUrl, urlText } from '../../model/filter/url-shapes.ts';

const linkShape = z.object({ code: urlText });

export const readLinkUrl = (search: unknown): z.output<typeof linkShape> => readUrl(linkShape, search);

/** Normalises a typed code to the displayed form, such as `BCDF-GHJK`. */
export const shownCode = (typed: string): string =>
  typed
    .toUpperCase()
    .replace(/[^A-Z]/g, '')
    .replace(/^(.{4})(?=.)/, '$1-');

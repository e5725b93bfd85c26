/** Search parameters of the experiments: the open run, or the compared runs with the baseline first. */
import { z } from 'zod';
import { readUrl, urlPage, urlText } from '../../model/filter/url-shapes.ts';

const shape = z.object({ id: urlText, compare: urlText, item: urlText, prompt: urlText, dataset: urlText, page: urlPage });
export type ExperimentsView = z.output<typeof shape>;

export const readExperimentsUrl = (search: unknown): ExperimentsView => readUrl(shape, search);

/** Most runs that are compared side by side. */
export const comparedMax = 3;

export const comparedIds = (compare: string): string[] =>
  [...new Set(compare.split(',').filter(Boolean).map(decodeURIComponent))].slice(0, comparedMax);
export const comparedText = (ids: readonly string[]): string => ids.map(encodeURIComponent).join(',');

/** Search parameters of the runaways. */
import { z } from 'zod';
import { readUrl, urlOneOf } from '../../model/filter/url-shapes.ts';

const shape = z.object({ show: urlOneOf(['thresholds']) });
export type RunawaysView = z.output<typeof shape>;

export const readRunawaysUrl = (search: unknown): RunawaysView => readUrl(shape, search);

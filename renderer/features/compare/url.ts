/** Search parameters of a comparison: two traces, the open step, and whether equal steps are shown. */
import { z } from 'zod';
import { readUrl, urlOneOf, urlText } from '../../model/filter/url-shapes.ts';

const shape = z.object({
  a: urlText,
  b: urlText,
  step: z.coerce.number().int().min(1).max(100_000).optional().catch(undefined),
  equal: urlOneOf(['shown']),
});
export type CompareView = z.output<typeof shape>;

export const readCompareUrl = (search: unknown): CompareView => readUrl(shape, search);

/** Search parameters of a comparison: of two traces, or of two groups of traces by ids or filters. */
import { z } from 'zod';
import { readUrl, urlFilter, urlMoment, urlNumber, urlOneOf, urlText } from '../../model/filter/url-shapes.ts';

const urlIds = z.string().regex(/^\S+$/).max(4000).optional().catch(undefined);

const shape = z.object({
  a: urlText,
  b: urlText,
  step: urlNumber(1),
  equal: urlOneOf(['shown']),
  a_ids: urlIds,
  b_ids: urlIds,
  a_filter: urlFilter,
  b_filter: urlFilter,
  from: urlMoment,
  to: urlMoment,
  name: urlText,
  environment: urlText,
  dataset_run_id: urlText,
  commit_sha: urlText,
  bookkeeping: urlOneOf(['include']),
  /** Number of the open fact of two groups. */
  fact: z.coerce.number().int().min(1).max(1000).optional().catch(undefined),
});
export type CompareView = z.output<typeof shape>;

export const readCompareUrl = (search: unknown): CompareView => readUrl(shape, search);

/** Whether groups are compared, and not two traces. */
export const isOfGroups = ({ a_ids, a_filter }: CompareView): boolean => a_ids !== undefined || a_filter !== undefined;

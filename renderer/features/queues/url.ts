/** Search parameters of the queues: list filter, and the selected item, or all its items. */
import { z } from 'zod';
import { readUrl, urlOneOf, urlPage, urlText } from '../../model/filter/url-shapes.ts';

const listShape = z.object({ whose: urlOneOf(['mine']), page: urlPage });
export type QueuesView = z.output<typeof listShape>;

export const readQueuesUrl = (search: unknown): QueuesView => readUrl(listShape, search);

const queueShape = z.object({
  item: urlText,
  view: urlOneOf(['items', 'progress']),
  items: urlOneOf(['mine', 'free', 'completed', 'skipped', 'all']),
  page: urlPage,
});
export type QueueView = z.output<typeof queueShape>;

export const readQueueUrl = (search: unknown): QueueView => readUrl(queueShape, search);

export const queuePageSize = 50;

export const queuesQuery = ({ whose, page = 1 }: QueuesView) => ({
  ...(whose === 'mine' && { assigned_to_me: 'true' as const }),
  limit: queuePageSize,
  offset: (page - 1) * queuePageSize,
});

/** Who is to review which items. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { gateway } from '../../api/client.ts';
import type { Item } from './queues-query.ts';
import { type QueueView, queuePageSize } from './url.ts';

function useQueueChange<T, R>(change: (input: T) => Promise<R>) {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: change,
    onSettled: () => queries.invalidateQueries({ queryKey: ['queues'] }),
  });
}

export const useChangeQueue = (queueId: string) =>
  useQueueChange((body: { reviewer_ids: string[] | null; shares_evenly: boolean }) =>
    gateway.annotationQueues.update({ params: { queueId }, body }),
  );

export const useAssign = (queueId: string) =>
  useQueueChange(
    async (body: { item_ids: string[]; assigned_to: string | null }) =>
      (await gateway.annotationItems.assign({ params: { queueId }, body })).data.assigned,
  );

const filters = {
  all: {},
  mine: { for_me: 'assigned' },
  free: { for_me: 'free' },
  completed: { status: 'completed' },
  skipped: { status: 'skipped' },
} as const satisfies Record<NonNullable<QueueView['items']>, object>;

/** A page of the items of a queue. */
export const useItems = (queueId: string, { items = 'all', page = 1 }: QueueView) =>
  useQuery({
    queryKey: ['queues', queueId, 'items', items, page],
    queryFn: () =>
      gateway.annotationItems.list({
        params: { queueId },
        query: { ...filters[items], limit: queuePageSize, offset: (page - 1) * queuePageSize },
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const useProgress = (queueId: string) =>
  useQuery({
    queryKey: ['queues', queueId, 'progress'],
    queryFn: async () => (await gateway.annotationQueues.progress({ params: { queueId } })).data,
    staleTime: 0,
  });

/** An item that somebody asked for, though it is not theirs. */
export const useItem = (queueId: string, itemId: string | undefined) =>
  useQuery({
    queryKey: ['queues', queueId, 'item', itemId],
    queryFn: async (): Promise<Item> => (await gateway.annotationItems.get({ params: { queueId, itemId: itemId ?? '' } })).data,
    enabled: itemId !== undefined,
    staleTime: 0,
    retry: false,
  });

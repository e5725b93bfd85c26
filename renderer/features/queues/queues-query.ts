import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import { GatewayError } from '../../../shared/client.ts';
import type { annotationItem } from '../../../shared/contract/evaluation/annotation-item.ts';
import type { annotationQueue } from '../../../shared/contract/evaluation/annotation-queues.ts';
import { gateway } from '../../api/client.ts';
import { useScoreConfigs } from '../../api/score-configs.ts';
import { useServed } from '../../api/served.ts';
import type { DraftScore } from './review-draft.ts';
import { type QueuesView, queuesQuery } from './url.ts';

export type Queue = z.output<typeof annotationQueue>;
export type Item = z.output<typeof annotationItem>;

/** Other people review too, so every visit fetches again. */
const shared = { staleTime: 0, refetchInterval: 10_000 } as const;
const openMax = 200;

export const useQueues = (view: QueuesView) =>
  useQuery({
    queryKey: ['queues', 'list', view],
    queryFn: () => gateway.annotationQueues.list({ query: queuesQuery(view) }),
    placeholderData: keepPreviousData,
    ...shared,
  });

export const useQueue = (queueId: string) =>
  useQuery({
    queryKey: ['queues', queueId, 'queue'],
    queryFn: async () => (await gateway.annotationQueues.get({ params: { queueId } })).data,
    ...shared,
  });

/** Open items for the user: those assigned to them first, then those that nobody has taken. */
export const useOpenItems = (queueId: string) =>
  useQuery({
    queryKey: ['queues', queueId, 'open'],
    queryFn: async () => {
      const list = async (for_me: 'assigned' | 'free') =>
        (await gateway.annotationItems.list({ params: { queueId }, query: { for_me, limit: openMax } })).data;
      return (await Promise.all([list('assigned'), list('free')])).flat();
    },
    staleTime: 0,
  });

/** With archived ones, which queues may still ask for. Empty on a gateway without a project configuration. */
export function useAskedConfigs() {
  const isServed = useServed()('score_configs');
  const { data = [], isLoading } = useScoreConfigs({ isEnabled: isServed, withArchived: true });
  return { configs: data, isLoading };
}

/** Trace and span of an item's resource. Null for a session. */
export const useResourceLocation = (item: Item) =>
  useQuery({
    queryKey: ['queues', 'location', item.resource_type, item.resource_id],
    queryFn: async () => {
      if (item.resource_type === 'session') return null;
      if (item.resource_type === 'trace') return { trace_id: item.resource_id, span_id: null };
      return (await gateway.viewer.place({ params: { id: item.resource_id } })).data;
    },
    staleTime: 0,
  });

export interface ReviewDraft {
  itemId: string;
  status: 'completed' | 'skipped';
  scores: readonly DraftScore[];
  comment: string;
}

/** A longer time says nothing about the item. */
const secondsMax = 3600;
const secondsSince = (at: number): number => Math.min(Math.max(0, (Date.now() - at) / 1000), secondsMax);

/** Errors of an item that other people have closed or reviewed meanwhile. The review continues with the next item. */
const doneByOthersCodes = new Set(['queue_item_closed', 'review_already_submitted', 'annotation_queue_item_not_found']);
export const isDoneByOthers = (error: unknown) => error instanceof GatewayError && doneByOthersCodes.has(error.code);

/**
 * Of the item whose form is shown: also sends how long it has been shown.
 * @param onDone is called even if the form is gone by then, and before the queue is fetched again
 */
export function useReview(queueId: string, onDone: () => void) {
  const [shownAt] = useState(() => Date.now());
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: ({ itemId, status, scores, comment }: ReviewDraft) =>
      gateway.annotationItems.review({
        params: { queueId, itemId },
        body: { status, seconds: secondsSince(shownAt), scores: [...scores], ...(comment === '' ? {} : { comment }) },
      }),
    onSuccess: onDone,
    onError: (error) => {
      if (isDoneByOthers(error)) onDone();
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['queues'] }),
        queries.invalidateQueries({ queryKey: ['scores'] }),
        queries.invalidateQueries({ queryKey: ['comments'] }),
        queries.invalidateQueries({ queryKey: ['trace'], predicate: ({ queryKey: [, , part] }) => part === 'scores' }),
      ]),
  });
}

interface NewQueue {
  name: string;
  instructions: string;
  score_config_names: string[];
  reviewers_required: number;
  reviewer_ids: string[] | null;
  shares_evenly: boolean;
}

export function useAddQueue() {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: (body: NewQueue) => gateway.annotationQueues.create({ body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['queues'] }),
  });
}

export function useAddItems(queueId: string) {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: async (items: { resource_id: string; resource_type: Item['resource_type'] }[]) =>
      (await gateway.annotationItems.add({ params: { queueId }, body: { items } })).data.added,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['queues'] }),
  });
}

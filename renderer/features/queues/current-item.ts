/** Which item of a queue is before its reviewer, and what they have typed so far. Both outlive the other views of the page. */
import { useState } from 'react';
import { useMe } from '../../api/identity.ts';
import { useItem } from './assignment-query.ts';
import { type Item, type Queue, useOpenItems } from './queues-query.ts';
import { type Draft, emptyDraft } from './review-draft.ts';

export const isClosed = ({ status }: Item): boolean => status === 'completed' || status === 'skipped';

/** Why this user may not review any item of the queue. */
export function useWhyNotNamed(queue: Queue | undefined): string | undefined {
  const me = useMe()?.user.id;
  const isOther = queue?.reviewer_ids && me !== undefined && !queue.reviewer_ids.includes(me);
  return isOther ? 'Only the reviewers of the queue review its items.' : undefined;
}

/** @param isShown whether the item is on the page, so that it stays there until it is done */
export function useCurrentItem(queueId: string, queue: Queue | undefined, requestedId: string | undefined, isShown: boolean) {
  const requested = useItem(queueId, requestedId);
  const open = useOpenItems(queueId);
  const mayHold = useWhyNotNamed(queue) === undefined;
  // Items that this user has reviewed. They stay open while they wait for other reviewers.
  const [done, setDone] = useState<ReadonlySet<string>>(new Set());
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const [held, setHeld] = useState<Item | null>(null);
  const next = held && !done.has(held.id) ? held : open.data?.find(({ id }) => !done.has(id));
  const item = requestedId === undefined ? next : requested.data;
  if (queue && isShown && item && item.id !== held?.id && mayHold && !isClosed(item)) setHeld(item);
  const change = (itemId: string) => (draft: Draft) => setDrafts((before) => ({ ...before, [itemId]: draft }));
  const finish = (itemId: string) => {
    setDone((before) => new Set([...before, itemId]));
    change(itemId)(emptyDraft);
  };
  return { open, requested, item, draft: (item && drafts[item.id]) ?? emptyDraft, change, finish };
}

/** How items of queues move on (docs/reference/records.md#annotation-queues), without a store. */
import type { QueueItem, Review } from './item-store.ts';

type Status = QueueItem['status'];

/** Takes no more reviews until it is opened again. */
export const isClosed = (status: Status): boolean => status === 'completed' || status === 'skipped';

export interface ReviewCounts {
  /** Reviewers who have completed their review. */
  completed: number;
  /** Reviewers who were asked and have not answered. */
  open: number;
  /** How many must complete theirs. */
  required: number;
}

/** Where an open item goes with a review, which is counted already. */
export function afterReview(review: Review['status'], { completed, open, required }: ReviewCounts): Status {
  if (completed >= required) return 'completed';
  return review === 'skipped' && open === 0 ? 'skipped' : 'in_progress';
}

/** Where an item goes when it is given to somebody else or to nobody. */
export function afterAssignment(status: Status, hasReviewers: boolean): Status {
  if (isClosed(status)) return status;
  return hasReviewers ? 'in_progress' : 'pending';
}

/** Status transitions of queue items (docs/reference/records.md#annotation-queues), without a store. */
import type { QueueItem, Review } from './item-store.ts';

type Status = QueueItem['status'];

/** Closed items take no reviews until they are reopened. */
export const isClosed = (status: Status): boolean => status === 'completed' || status === 'skipped';

export interface ReviewCounts {
  /** Reviewers who have completed their review. */
  completed: number;
  /** Assigned reviewers without a review. */
  open: number;
  /** People named by the queue who have not reviewed the item. Null: anybody may. */
  left: number | null;
  /** Number of required reviews. */
  required: number;
}

/** Status of an open item after a review, which the counts include. */
export function afterReview(review: Review['status'], { completed, open, left, required }: ReviewCounts): Status {
  if (completed >= required) return 'completed';
  if (review === 'skipped' && open === 0) return 'skipped';
  // An item that nobody is left to review would never be closed.
  return left === 0 ? 'completed' : 'in_progress';
}

/** Status of an item after its assignment changes. */
export function afterAssignment(status: Status, hasReviewers: boolean): Status {
  if (isClosed(status)) return status;
  return hasReviewers ? 'in_progress' : 'pending';
}

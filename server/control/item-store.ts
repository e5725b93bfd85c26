import type { z } from 'zod';
import type { annotationItem, reviewer } from '../../shared/contract/evaluation/annotation-item.ts';
import type { Score } from '../../shared/contract/evaluation/scores.ts';
import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';

export type QueueItem = z.output<typeof annotationItem>;
export type Reviewer = z.output<typeof reviewer>;
export type Resource = Pick<QueueItem, 'resource_id' | 'resource_type'>;

export interface ItemQuery extends PageQuery {
  status?: QueueItem['status'] | undefined;
  assigned_to?: string | undefined;
  /** Open items for a user. */
  for?: { user_id: string; which: 'assigned' | 'free' } | undefined;
}

/** Absent properties stay unchanged. */
export interface ItemChange {
  status?: QueueItem['status'] | undefined;
  assigned_to?: string | null | undefined;
}

/** Address of an item: it is found only in its queue. */
export interface ItemPlace {
  queueId: string;
  itemId: string;
}

export interface Review {
  status: 'completed' | 'skipped';
  /** A user's id, the signature of a key, or the name of an automated judge. */
  reviewer: string;
  scores: readonly Pick<Score, 'name' | 'score' | 'label' | 'reason'>[];
  comment: string | null;
  /** Author name of the comment; null for the user's name. */
  author_name: string | null;
  /** How long it took, if that is known. */
  seconds?: number | undefined;
}

export interface ReviewResult {
  reviewer: Reviewer;
  item: QueueItem;
  review_progress: { completed: number; total: number; required: number };
}

/** Items of queues and their reviews. Consequences of a change are part of its transaction. */
export interface ItemStore {
  /**
   * Skips items that are in the queue already. Null for an unknown queue.
   * @returns number of added items
   * @throws QueueArchived
   */
  add(by: Actor, scope: Scope, queueId: string, resources: readonly Resource[]): Promise<number | null>;
  find(scope: Scope, place: ItemPlace): Promise<QueueItem | null>;
  /** In the order of their addition. Null for an unknown queue. */
  list(scope: Scope, queueId: string, query: ItemQuery): Promise<Page<QueueItem> | null>;
  /**
   * A reopened item must be reviewed again: the reviews that closed it no longer count.
   * @throws NotAReviewer
   */
  update(by: Actor, scope: Scope, place: ItemPlace, change: ItemChange): Promise<QueueItem | null>;
  /**
   * Assigns open items to a member in place of others, or to nobody. Null for an unknown queue.
   * @returns number of changed items
   * @throws NotAReviewer
   */
  assign(by: Actor, scope: Scope, queueId: string, itemIds: readonly string[], userId: string | null): Promise<number | null>;
  remove(by: Actor, scope: Scope, place: ItemPlace): Promise<boolean>;
  /**
   * Stores the review, its comment and its scores in one transaction. The scores go to the outbox, from where they reach the telemetry store.
   * @throws ReviewRefused
   */
  review(by: Actor, scope: Scope, place: ItemPlace, review: Review): Promise<ReviewResult | null>;
}

/** An archived queue takes no items. */
export class QueueArchived extends Error {
  constructor() {
    super('The queue is archived');
    this.name = 'QueueArchived';
  }
}

const notReviewers = {
  member: 'is not a member of the tenant who may review',
  named: 'is not among the reviewers of the queue',
};

/** Only members who may review, and whom the queue names if it names any, are assigned items. */
export class NotAReviewer extends Error {
  constructor(problem: keyof typeof notReviewers, userId: string) {
    super(`${userId} ${notReviewers[problem]}`);
    this.name = 'NotAReviewer';
  }
}

const reasons = {
  closed: 'The item is completed or skipped and takes no more reviews',
  repeated: 'This reviewer has reviewed the item already',
  other: 'Only the reviewers of the queue review its items',
};

export class ReviewRefused extends Error {
  readonly problem: keyof typeof reasons;

  constructor(problem: keyof typeof reasons) {
    super(reasons[problem]);
    this.name = 'ReviewRefused';
    this.problem = problem;
  }
}

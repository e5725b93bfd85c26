import type { z } from 'zod';
import type { annotationItem, reviewer } from '../../shared/contract/annotation-items.ts';
import type { Score } from '../../shared/contract/scores.ts';
import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';

export type QueueItem = z.output<typeof annotationItem>;
export type Reviewer = z.output<typeof reviewer>;
export type Resource = Pick<QueueItem, 'resource_id' | 'resource_type'>;

export interface ItemQuery extends PageQuery {
  status?: QueueItem['status'] | undefined;
  assigned_to?: string | undefined;
}

/** What is absent stays as it is. */
export interface ItemChange {
  status?: QueueItem['status'] | undefined;
  assigned_to?: string | null | undefined;
}

/** The place of an item: of that queue, or nowhere. */
export interface ItemPlace {
  queueId: string;
  itemId: string;
}

export interface Review {
  status: 'completed' | 'skipped';
  /** Who judged: a user's id, the signature of a key, or the name of an automated judge. */
  reviewer: string;
  scores: readonly Pick<Score, 'name' | 'score' | 'label' | 'reason'>[];
  comment: string | null;
  /** As the comment names its author; null to take the name of whoever sends it. */
  author_name: string | null;
}

export interface Reviewed {
  reviewer: Reviewer;
  item: QueueItem;
  review_progress: { completed: number; total: number; required: number };
}

/** The items of queues and their reviews. What a change leads to is decided in the transaction that makes it. */
export interface ItemStore {
  /**
   * Passes over what is in the queue already. Null when there is no such queue.
   * @returns how many were added
   * @throws QueueArchived
   */
  add(by: Actor, scope: Scope, queueId: string, resources: readonly Resource[]): Promise<number | null>;
  find(scope: Scope, place: ItemPlace): Promise<QueueItem | null>;
  /** In the order in which they were added. Null when there is no such queue. */
  list(scope: Scope, queueId: string, query: ItemQuery): Promise<Page<QueueItem> | null>;
  /** What is opened again is to be judged anew: reviews that closed it no longer count. */
  update(by: Actor, scope: Scope, place: ItemPlace, change: ItemChange): Promise<QueueItem | null>;
  remove(by: Actor, scope: Scope, place: ItemPlace): Promise<boolean>;
  /**
   * One transaction keeps the review, its comment, and its scores in the outbox, complete, from where they reach the telemetry. All or none.
   * @throws ReviewRefused
   */
  review(by: Actor, scope: Scope, place: ItemPlace, review: Review): Promise<Reviewed | null>;
}

/** Nothing is added to an archived queue. */
export class QueueArchived extends Error {
  constructor() {
    super('The queue is archived');
    this.name = 'QueueArchived';
  }
}

const reasons = {
  closed: 'The item is completed or skipped and takes no more reviews',
  repeated: 'This reviewer has reviewed the item already',
};

export class ReviewRefused extends Error {
  readonly problem: keyof typeof reasons;

  constructor(problem: keyof typeof reasons) {
    super(reasons[problem]);
    this.name = 'ReviewRefused';
    this.problem = problem;
  }
}

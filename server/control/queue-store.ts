import type { z } from 'zod';
import type { annotationQueue } from '../../shared/contract/evaluation/annotation-queues.ts';
import type { QueueProgress } from '../../shared/contract/evaluation/queue-progress.ts';
import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';

/** Without what depends on the caller. */
export type Queue = Omit<z.output<typeof annotationQueue>, 'waiting_for_me'>;
type Reviewing = Pick<Queue, 'reviewer_ids' | 'shares_evenly'>;
export type QueueDraft = Pick<Queue, 'name' | 'description' | 'score_config_names' | 'dataset_id' | 'instructions' | 'reviewers_required'> &
  Partial<Reviewing>;

type Changeable = Reviewing & Pick<Queue, 'name' | 'description' | 'status' | 'score_config_names' | 'instructions' | 'reviewers_required'>;
/** Absent properties stay unchanged. */
export type QueueChange = { [K in keyof Changeable]?: Changeable[K] | undefined };

/** Annotation queues. Progress is counted from the items at each read. */
export interface QueueStore {
  /** @throws NotAReviewer, ReviewingRefused */
  create(by: Actor, scope: Scope, draft: QueueDraft): Promise<Queue>;
  find(scope: Scope, id: string): Promise<Queue | null>;
  /** Newest first; with a user only queues that have an open item assigned to them. */
  list(scope: Scope, query: PageQuery & { assigned_to?: string | undefined }): Promise<Page<Queue>>;
  /** Open items that are assigned to the user, by the queue. */
  waiting(scope: Scope, userId: string, queueIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * Reviews by reviewer, and on these days. Null for an unknown queue.
   * @param dates oldest first
   */
  progress(scope: Scope, id: string, dates: readonly string[]): Promise<QueueProgress | null>;
  /**
   * When `reviewers_required` is lowered, open items that now have enough reviews are completed in the same transaction. Those who are no longer
   * named give their open items back.
   * Items that nobody is left to review are closed.
   * @throws NotAReviewer, ReviewingRefused
   */
  update(by: Actor, scope: Scope, id: string, change: QueueChange): Promise<Queue | null>;
  /** With its items and their reviewers. Scores and comments stay. False for an unknown queue. */
  remove(by: Actor, scope: Scope, id: string): Promise<boolean>;
}

/** New items are shared out only among named reviewers, and no more reviews are required than members are named: keys may review, but need not. */
export class ReviewingRefused extends Error {
  readonly field: 'shares_evenly' | 'reviewers_required';

  constructor(field: ReviewingRefused['field'], problem: string) {
    super(problem);
    this.name = 'ReviewingRefused';
    this.field = field;
  }
}

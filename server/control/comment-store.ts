import type { Comment } from '../../shared/contract/evaluation/comments.ts';
import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';

export type CommentDraft = Pick<Comment, 'resource_id' | 'resource_type' | 'body'>;

export interface CommentQuery extends PageQuery {
  resource_id?: string | undefined;
  resource_type?: Comment['resource_type'] | undefined;
}

/** Comments of people and programs on traces, spans and sessions. A comment is immutable. */
export interface CommentStore {
  create(by: Actor, scope: Scope, draft: CommentDraft): Promise<Comment>;
  find(scope: Scope, id: string): Promise<Comment | null>;
  /** Oldest first. */
  list(scope: Scope, query: CommentQuery): Promise<Page<Comment>>;
  /** False for an unknown comment, or when `onlyOwn` is set and `by` is not the author. */
  remove(by: Actor, scope: Scope, id: string, onlyOwn: boolean): Promise<boolean>;
}

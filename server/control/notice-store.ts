import type { Notice } from '../../shared/contract/evaluation/notices.ts';

/** A member of a tenant, whose notices these are. */
export interface Recipient {
  tenant_id: string;
  user_id: string;
}

export interface NoticeQuery {
  limit: number;
  /** `next` of the page before. */
  before?: string | undefined;
}

export interface NoticePage {
  data: Notice[];
  /** Null at the end. */
  next: string | null;
}

/** Newest notices of a member that are kept in a tenant. */
export const noticesMax = 200;
export const noticeDays = 90;

/**
 * What members are told of: comments that mention them, and comments after theirs. A notice is made in the transaction of its comment
 * (`makeNotices`), and is deleted with the comment, its app, and the membership. Of each member, the newest are kept; of unread replies on the
 * same trace, span or session only the newest, under the id of the first.
 */
export interface NoticeStore {
  /** Newest first. */
  list(recipient: Recipient, query: NoticeQuery): Promise<NoticePage>;
  unread(recipient: Recipient): Promise<number>;
  /** Null for a notice that is not the recipient's. */
  mark(recipient: Recipient, id: string, isRead: boolean): Promise<Notice | null>;
  /** @returns number of notices that were unread */
  markAll(recipient: Recipient): Promise<number>;
}

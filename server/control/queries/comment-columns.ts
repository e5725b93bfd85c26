import type { Comment } from '../../../shared/contract/evaluation/comments.ts';
import type { comments } from './schema/reviews.ts';

/** A comment without what only the store knows of it. */
export const asComment = ({ position, tenant_id, app_id, created_by, ...comment }: typeof comments.$inferSelect): Comment => comment;

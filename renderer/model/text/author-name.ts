import type { Comment } from '../../../shared/contract/evaluation/comments.ts';

/**
 * Who wrote a comment. A member has their current name. The name of a comment that was sent with a key is chosen by whoever holds the key, so it
 * never looks like that of a member.
 * @param names of members by their ids; null while they are not known
 */
export function authorName(
  { user_id, author_name }: Pick<Comment, 'user_id' | 'author_name'>,
  names: ReadonlyMap<string, string> | null,
): string {
  if (user_id === null) return author_name === null ? 'An API key' : `${author_name} (API key)`;
  return names?.get(user_id) ?? author_name ?? 'Somebody';
}

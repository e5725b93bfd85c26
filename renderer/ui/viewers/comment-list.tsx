import { Trash2 } from 'lucide-react';
import type { Comment } from '../../../shared/contract/evaluation/comments.ts';
import { exactly, when } from '../../model/time/time.ts';
import { IconButton } from '../primitives/button.tsx';
import { Icon } from '../primitives/icon.tsx';
import { Text } from '../primitives/text.tsx';
import { LongText } from './long-text.tsx';

interface CommentListProps {
  comments: readonly Comment[];
  /** What they are on if nothing else is said. */
  of: Comment['resource_type'];
  mayRemove: (comment: Comment) => boolean;
  isRemoving: boolean;
  onRemove: (id: string) => void;
}

/** Comments with author and time. */
export const CommentList = ({ comments, of, mayRemove, isRemoving, onRemove }: CommentListProps) => (
  <ul aria-label="Comments">
    {comments.map((comment) => (
      <li key={comment.id} className="group flex items-start gap-2 border-line border-b py-1.5">
        <div className="min-w-0 flex-1">
          <Text size="label" tone="dim" title={exactly(comment.created_at)}>
            {[
              comment.author_name ?? comment.user_id,
              when(comment.created_at),
              comment.resource_type !== of && `on the ${comment.resource_type}`,
            ]
              .filter(Boolean)
              .join(', ')}
          </Text>
          <LongText text={comment.body} />
        </div>
        <span className="opacity-0 focus-within:opacity-100 group-hover:opacity-100">
          {mayRemove(comment) && (
            <IconButton label="Delete comment" disabled={isRemoving} onClick={() => onRemove(comment.id)}>
              <Icon of={Trash2} size="small" />
            </IconButton>
          )}
        </span>
      </li>
    ))}
  </ul>
);

import { Trash2 } from 'lucide-react';
import type { Comment } from '../../../shared/contract/evaluation/comments.ts';
import { authorName } from '../../model/text/author-name.ts';
import { exactly, when } from '../../model/time/time.ts';
import { IconButton } from '../primitives/button.tsx';
import { Icon } from '../primitives/icon.tsx';
import { Text } from '../primitives/text.tsx';
import { CommentText } from './comment-text.tsx';

interface CommentListProps {
  comments: readonly Comment[];
  /** What they are on if nothing else is said. */
  of: Comment['resource_type'];
  /** Of members, by their ids. */
  names: ReadonlyMap<string, string> | null;
  /** The comment that a link leads to. */
  marked?: string | undefined;
  mayRemove: (comment: Comment) => boolean;
  isRemoving: boolean;
  onRemove: (id: string) => void;
}

/** Comments with author and time. */
export const CommentList = ({ comments, of, names, marked, mayRemove, isRemoving, onRemove }: CommentListProps) => (
  <ul aria-label="Comments">
    {comments.map((comment) => (
      <li
        key={comment.id}
        ref={comment.id === marked ? intoView : null}
        aria-current={comment.id === marked || undefined}
        className="group flex items-start gap-2 border-line border-b py-1.5 aria-[current]:border-l-2 aria-[current]:border-l-accent aria-[current]:bg-select aria-[current]:pl-2"
      >
        <div className="min-w-0 flex-1">
          <Text size="label" tone="dim" title={exactly(comment.created_at)}>
            {[authorName(comment, names), when(comment.created_at), comment.resource_type !== of && `on the ${comment.resource_type}`]
              .filter(Boolean)
              .join(', ')}
          </Text>
          <CommentText text={comment.body} names={names} />
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

const intoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

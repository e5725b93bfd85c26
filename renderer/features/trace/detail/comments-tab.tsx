import { Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { asFailure } from '../../../api/failure.ts';
import { useMay, useMe, useWhyNot } from '../../../api/identity.ts';
import { exactly, when } from '../../../model/time/time.ts';
import { Button, IconButton } from '../../../ui/primitives/button.tsx';
import { FailedState } from '../../../ui/primitives/failed-state.tsx';
import { Icon } from '../../../ui/primitives/icon.tsx';
import { SkeletonRows } from '../../../ui/primitives/skeleton.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { TextArea } from '../../../ui/primitives/text-area.tsx';
import { LongText } from '../../../ui/viewers/long-text.tsx';
import { type CommentPlace, useAddComment, useComments, useRemoveComment } from './comments-query.ts';

/** Comments on the span (on the first span, also those on the trace), with a form to add one. */
export function CommentsTab({ place }: { place: CommentPlace }) {
  const comments = useComments(place, true);
  const remove = useRemoveComment(place);
  const me = useMe();
  const may = useMay();
  const whyNotAdd = useWhyNot()('comment.write');
  if (comments.isError)
    return <FailedState failure={asFailure(comments.error, 'The comments could not be loaded')} onRetry={() => void comments.refetch()} />;
  if (!comments.data) return <SkeletonRows rows={4} label="Loading the comments" />;
  return (
    <>
      {comments.data.length === 0 && (
        <Text size="body" tone="dim">
          No comments yet.
        </Text>
      )}
      <ul aria-label="Comments">
        {comments.data.map((comment) => (
          <li key={comment.id} className="group flex items-start gap-2 border-line border-b py-1.5">
            <div className="min-w-0 flex-1">
              <Text size="label" tone="dim" title={exactly(comment.created_at)}>
                {[comment.author_name ?? comment.user_id, when(comment.created_at), comment.resource_type === 'trace' && 'on the trace']
                  .filter(Boolean)
                  .join(', ')}
              </Text>
              <LongText text={comment.body} />
            </div>
            <span className="opacity-0 focus-within:opacity-100 group-hover:opacity-100">
              {(may('comment.delete') || comment.user_id === me?.user.id) && (
                <IconButton label="Delete comment" disabled={remove.isPending} onClick={() => remove.mutate(comment.id)}>
                  <Icon of={Trash2} size="small" />
                </IconButton>
              )}
            </span>
          </li>
        ))}
      </ul>
      {remove.isError && <Text tone="err">{asFailure(remove.error, 'The comment could not be deleted').why}</Text>}
      {whyNotAdd === undefined ? (
        <CommentForm place={place} />
      ) : (
        <Text size="body" tone="dim">{`You cannot add a comment. ${whyNotAdd}`}</Text>
      )}
    </>
  );
}

function CommentForm({ place }: { place: CommentPlace }) {
  const add = useAddComment(place);
  const [body, setBody] = useState('');
  const isReady = body.trim() !== '' && !add.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) add.mutate(body.trim(), { onSuccess: () => setBody('') });
  };
  return (
    <form onSubmit={submit} aria-label="Add a comment" className="grid justify-items-start gap-2">
      <div className="w-full max-w-measure">
        <TextArea label="Comment" value={body} onChange={(event) => setBody(event.target.value)} />
      </div>
      <Button submit primary disabled={!isReady}>
        Add comment
      </Button>
      {add.isError && <Text tone="err">{asFailure(add.error, 'The comment could not be added').why}</Text>}
    </form>
  );
}

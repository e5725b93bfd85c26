import type { FormEvent } from 'react';
import { type Commented, useAddComment, useComments, useRemoveComment } from '../../../api/comments.ts';
import { asFailure } from '../../../api/failure.ts';
import { useMay, useMe, useWhyNot } from '../../../api/identity.ts';
import { useMemberNames, useMentionables } from '../../../api/members.ts';
import { Button } from '../../../ui/primitives/button.tsx';
import { useCommentDraft } from '../../../ui/primitives/comment-draft.ts';
import { FailedState } from '../../../ui/primitives/failed-state.tsx';
import { MentionField } from '../../../ui/primitives/mention-field.tsx';
import { SkeletonRows } from '../../../ui/primitives/skeleton.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { CommentList } from '../../../ui/viewers/comment-list.tsx';

interface CommentsTabProps {
  resources: readonly [Commented, ...Commented[]];
  /** The comment that a link leads to. */
  marked: string | undefined;
}

/** Comments on the span, and after it on what else is shown with it, with a form to add one to the span. */
export function CommentsTab({ resources, marked }: CommentsTabProps) {
  const comments = useComments(resources, true);
  const remove = useRemoveComment();
  const me = useMe();
  const names = useMemberNames();
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
      <CommentList
        comments={comments.data}
        of="span"
        {...{ names, marked }}
        mayRemove={({ user_id }) => may('comment.delete') || user_id === me?.user.id}
        isRemoving={remove.isPending}
        onRemove={remove.mutate}
      />
      {remove.isError && <Text tone="err">{asFailure(remove.error, 'The comment could not be deleted').why}</Text>}
      {whyNotAdd === undefined ? (
        <CommentForm of={resources[0]} />
      ) : (
        <Text size="body" tone="dim">{`You cannot add a comment. ${whyNotAdd}`}</Text>
      )}
    </>
  );
}

function CommentForm({ of }: { of: Commented }) {
  const add = useAddComment();
  const people = useMentionables();
  const { body, field, clear, ...draft } = useCommentDraft();
  const isReady = draft.isReady && !add.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) add.mutate({ body, resources: [of], done: new Set() }, { onSuccess: clear });
  };
  return (
    <form onSubmit={submit} aria-label="Add a comment" className="grid justify-items-start gap-2">
      <div className="w-full max-w-measure">
        <MentionField label="Comment" people={people} {...field} />
      </div>
      <Button submit primary disabled={!isReady}>
        Add comment
      </Button>
      {add.isError && <Text tone="err">{asFailure(add.error, 'The comment could not be added').why}</Text>}
    </form>
  );
}

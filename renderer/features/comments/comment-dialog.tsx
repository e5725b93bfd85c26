/** Comments on a span, a trace or a session, or on several traces, without leaving the page. */
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react';
import { type Commented, useAddComment, useComments, useRemoveComment } from '../../api/comments.ts';
import { asFailure } from '../../api/failure.ts';
import { useMay, useMe, useWhyNot } from '../../api/identity.ts';
import { useMemberNames, useMentionables } from '../../api/members.ts';
import { plural } from '../../model/text/format.ts';
import { ActOutcome } from '../../ui/overlays/act-outcome.tsx';
import type { Place } from '../../ui/overlays/chosen-places.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { firstKind, idOf, inWords, type PlaceKind, PlaceKinds } from '../../ui/overlays/place-kinds.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { useCommentDraft } from '../../ui/primitives/comment-draft.ts';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { MentionField } from '../../ui/primitives/mention-field.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { CommentList } from '../../ui/viewers/comment-list.tsx';

interface CommentDialogProps {
  places: readonly Place[];
  onClose: () => void;
}

export function CommentDialog({ places, onClose }: CommentDialogProps) {
  const [kind, setKind] = useState<PlaceKind>(firstKind(places, true));
  const resources = useMemo(
    () => places.map((place): Commented => ({ resource_type: kind, resource_id: idOf(place, kind) })),
    [places, kind],
  );
  const add = useAddComment();
  const whyNotAdd = useWhyNot()('comment.write');
  return (
    <Dialog title={`Comment on ${inWords(places, kind)}`} onClose={onClose}>
      {add.isSuccess ? (
        <ActOutcome outcome={`${plural(places.length, 'comment')} added.`} onClose={onClose} />
      ) : (
        <div className="grid gap-3">
          <PlaceKinds label="What to comment on" places={places} kind={kind} onKind={setKind} withSession />
          {places.length === 1 && <Earlier resources={resources} kind={kind} />}
          {whyNotAdd === undefined ? (
            <CommentForm add={add} resources={resources} />
          ) : (
            <Text size="body" tone="dim">{`You cannot add a comment. ${whyNotAdd}`}</Text>
          )}
        </div>
      )}
    </Dialog>
  );
}

function CommentForm({ add, resources }: { add: ReturnType<typeof useAddComment>; resources: readonly Commented[] }) {
  const done = useMemo(() => new Set<string>(), []);
  const people = useMentionables();
  const { body, field, ...draft } = useCommentDraft();
  const element = useRef<HTMLTextAreaElement>(null);
  useEffect(() => element.current?.focus(), []);
  const isReady = draft.isReady && !add.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) add.mutate({ body, resources, done });
  };
  return (
    <form onSubmit={submit} className="grid gap-3">
      <MentionField ref={element} label="Comment" people={people} {...field} />
      <FormFoot problem={add.error && asFailure(add.error, 'The comment could not be added').why}>
        <Button submit primary disabled={!isReady}>
          Add comment
        </Button>
      </FormFoot>
    </form>
  );
}

/** Comments that are there already. */
function Earlier({ resources, kind }: { resources: readonly Commented[]; kind: PlaceKind }) {
  const comments = useComments(resources, true);
  const remove = useRemoveComment();
  const me = useMe();
  const may = useMay();
  const names = useMemberNames();
  const problem = comments.error ?? remove.error;
  return (
    <div className="max-h-list overflow-y-auto">
      {problem && <Text tone="err">{asFailure(problem, 'The comments could not be loaded').why}</Text>}
      {comments.data && comments.data.length > 0 && (
        <CommentList
          comments={comments.data}
          of={kind}
          names={names}
          mayRemove={({ user_id }) => may('comment.delete') || user_id === me?.user.id}
          isRemoving={remove.isPending}
          onRemove={remove.mutate}
        />
      )}
    </div>
  );
}

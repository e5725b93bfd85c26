import { useState } from 'react';
import { useMe, useWhyNot } from '../../api/identity.ts';
import { Text } from '../../ui/primitives/text.tsx';
import { LongText } from '../../ui/viewers/long-text.tsx';
import { ReviewForm, type ReviewFormProps } from './review-form.tsx';

/** The review form, or for users who may not review the reason why. */
export function Review(props: ReviewFormProps) {
  const role = useWhyNot()('annotation_queue.review');
  const me = useMe()?.user.id;
  const { queue, item } = props;
  const isClosedNow = item.status === 'completed' || item.status === 'skipped';
  // What is typed stays when somebody closes the item meanwhile: sending it says so, and the review moves on.
  const [wasOpen, setWasOpen] = useState(!isClosedNow);
  if (!isClosedNow && !wasOpen) setWasOpen(true);
  const isClosed = isClosedNow && !wasOpen;
  const isOther = queue.reviewer_ids !== null && me !== undefined && !queue.reviewer_ids.includes(me);
  const whyNot = role ?? (isClosed ? `It is ${item.status}.` : isOther ? 'Only the reviewers of the queue review its items.' : undefined);
  if (whyNot === undefined) return <ReviewForm {...props} />;
  return (
    <div className="grid gap-4 p-pad">
      {props.queue.instructions && <LongText text={props.queue.instructions} dim />}
      <Text size="body" tone="dim">{`You cannot review this item. ${whyNot}`}</Text>
    </div>
  );
}

import { useState } from 'react';
import { useWhyNot } from '../../api/identity.ts';
import { Text } from '../../ui/primitives/text.tsx';
import { LongText } from '../../ui/viewers/long-text.tsx';
import { isClosed, useWhyNotNamed } from './current-item.ts';
import { ReviewForm, type ReviewFormProps } from './review-form.tsx';

/** The review form, or for users who may not review the reason why. */
export function Review(props: ReviewFormProps) {
  const role = useWhyNot()('annotation_queue.review');
  const whyNotNamed = useWhyNotNamed(props.queue);
  const { item } = props;
  const isClosedNow = isClosed(item);
  // What is typed stays when somebody closes the item meanwhile: sending it says so, and the review moves on.
  const [wasOpen, setWasOpen] = useState(!isClosedNow);
  if (!isClosedNow && !wasOpen) setWasOpen(true);
  const whyNot = role ?? (isClosedNow && !wasOpen ? `It is ${item.status}.` : whyNotNamed);
  if (whyNot === undefined) return <ReviewForm {...props} />;
  return (
    <div className="grid gap-4 p-pad">
      {props.queue.instructions && <LongText text={props.queue.instructions} dim />}
      <Text size="body" tone="dim">{`You cannot review this item. ${whyNot}`}</Text>
    </div>
  );
}

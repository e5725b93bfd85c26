import { useWhyNot } from '../../api/identity.ts';
import { Text } from '../../ui/primitives/text.tsx';
import { LongText } from '../../ui/viewers/long-text.tsx';
import { ReviewForm, type ReviewFormProps } from './review-form.tsx';

/** Tells read-only users so, instead of a form that they cannot submit. */
export function Review(work: ReviewFormProps) {
  const whyNot = useWhyNot()('annotation_queue.review');
  if (whyNot === undefined) return <ReviewForm {...work} />;
  return (
    <div className="grid gap-4 p-pad">
      {work.queue.instructions && <LongText text={work.queue.instructions} dim />}
      <Text size="body" tone="dim">{`You cannot review this item. ${whyNot}`}</Text>
    </div>
  );
}

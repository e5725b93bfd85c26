import { useWhyNot } from '../../api/identity.ts';
import { LongText } from '../../ui/long-text.tsx';
import { Text } from '../../ui/text.tsx';
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

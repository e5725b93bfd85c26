import { type FormEvent, useRef } from 'react';
import { asFailure } from '../../api/failure.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { useKeys } from '../../ui/primitives/keys.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { TextArea } from '../../ui/primitives/text-area.tsx';
import { LongText } from '../../ui/viewers/long-text.tsx';
import { CriterionField } from './criterion-field.tsx';
import { type Item, isDoneByOthers, type Queue, useAskedConfigs, useReview } from './queues-query.ts';
import { type Answers, type Criterion, criteriaOf, type Draft, nextOf, scoreOf } from './review-draft.ts';

const choiceKeys = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

export interface ReviewFormProps {
  queue: Queue;
  item: Item;
  draft: Draft;
  onDraft: (draft: Draft) => void;
  onDone: () => void;
}

/** Review form of one item. Number keys answer the first unanswered criterion, Enter submits. */
export function ReviewForm({ queue, item, draft, onDraft, onDone }: ReviewFormProps) {
  const { configs, isLoading } = useAskedConfigs();
  const criteria = criteriaOf(queue.score_config_names, configs);
  const { answers, comment } = draft;
  const setAnswers = (changed: Answers) => onDraft({ ...draft, answers: changed });
  const commentField = useRef<HTMLTextAreaElement>(null);
  const review = useReview(queue.id, onDone);
  const next = nextOf(criteria, answers);
  const isReady = next === undefined && !isLoading && !review.isPending;

  const send = (status: 'completed' | 'skipped') => {
    if (review.isPending || (status === 'completed' && !isReady)) return;
    const scores = status === 'skipped' ? [] : criteria.flatMap((criterion) => scoreOf(criterion, answers) ?? []);
    review.mutate({ itemId: item.id, status, scores, comment: comment.trim() });
  };
  const answer = (name: string, value: string) => setAnswers({ ...answers, [name]: value });
  const undoAnswer = () => {
    const last = criteria.findLast(({ name }) => answers[name] !== undefined);
    if (last) setAnswers(Object.fromEntries(Object.entries(answers).filter(([name]) => name !== last.name)));
  };
  const form = useRef<HTMLFormElement>(null);
  const focusNext = () => form.current?.querySelector<HTMLElement>('[data-next=true] :is(input, textarea)')?.focus();
  useReviewKeys({ next, focusNext, answer, undoAnswer, send, focusComment: () => commentField.current?.focus() });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    send('completed');
  };
  return (
    <form ref={form} onSubmit={submit} aria-label="Review" className="grid gap-4 p-pad max-facets:grid-cols-2 max-facets:gap-3">
      {queue.instructions && (
        <div className="col-span-full">
          <LongText text={queue.instructions} dim />
        </div>
      )}
      {criteria.map((criterion) => (
        <CriterionField
          key={criterion.name}
          criterion={criterion}
          value={answers[criterion.name] ?? ''}
          isNext={criterion === next}
          onChange={(value) => answer(criterion.name, value)}
        />
      ))}
      <div className="col-span-full">
        <TextArea
          ref={commentField}
          rows={2}
          label="Comment (c)"
          value={comment}
          onChange={(event) => onDraft({ ...draft, comment: event.target.value })}
          onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        />
      </div>
      <div className="col-span-full flex flex-wrap items-center gap-2">
        <Button submit primary hint="↵" disabled={!isReady}>
          Submit
        </Button>
        <Button hint="s" disabled={review.isPending} onClick={() => send('skipped')}>
          Skip
        </Button>
        {next && !isLoading && (
          <Text size="label" tone="dim" cut>
            {`${next.name} has no answer yet`}
          </Text>
        )}
      </div>
      {review.isError && !isDoneByOthers(review.error) && (
        <Text tone="err">{asFailure(review.error, 'The review could not be saved').why}</Text>
      )}
    </form>
  );
}

interface ReviewKeys {
  /** Criterion that the number keys answer. */
  next: Criterion | undefined;
  /** To where a number or a text is typed. */
  focusNext: () => void;
  answer: (name: string, value: string) => void;
  undoAnswer: () => void;
  focusComment: () => void;
  send: (status: 'completed' | 'skipped') => void;
}

/** Keys with which a review can be done without the mouse. */
function useReviewKeys({ next, focusNext, answer, undoAnswer, focusComment, send }: ReviewKeys): void {
  useKeys(
    'Review',
    [
      ...(next?.choices ?? []).slice(0, choiceKeys.length).map(({ label }, index) => ({
        on: [choiceKeys[index] as string],
        label: `${next?.name}: ${label}`,
        run: () => answer(next?.name ?? '', label),
      })),
      ...(next && !next.choices ? [{ on: ['1'], label: `${next.name}: write`, run: focusNext }] : []),
      { on: ['Backspace'], label: 'Undo the last answer', run: undoAnswer },
      { on: ['c'], label: 'Write a comment', run: focusComment },
      { on: ['Enter', 'Mod+Enter'], label: 'Submit and go to next item', run: () => send('completed') },
      { on: ['s'], label: 'Skip and go to next item', run: () => send('skipped') },
    ],
    { isFirst: true },
  );
}

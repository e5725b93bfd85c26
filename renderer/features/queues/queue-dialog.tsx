import { type FormEvent, useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { TextArea } from '../../ui/primitives/text-area.tsx';
import { misspeltScores, scoreNamesIn, toggledScore } from './asked-scores.ts';
import { useAddQueue, useAskedConfigs } from './queues-query.ts';
import { asSent, ReviewersField, type Reviewing } from './reviewers-field.tsx';

const reviewersMax = 50;

/** Form for a new queue: scores and number of reviewers. */
export function QueueDialog({ onClose, onAdded }: { onClose: () => void; onAdded: (queue: { id: string }) => void }) {
  const known = useAskedConfigs()
    .configs.filter(({ archived }) => !archived)
    .map((config) => config.name);
  const add = useAddQueue();
  const [name, setName] = useState('');
  const [scores, setScores] = useState('');
  const [instructions, setInstructions] = useState('');
  const [reviewers, setReviewers] = useState('1');
  const [reviewing, setReviewing] = useState<Reviewing>({ reviewer_ids: null, shares_evenly: false });
  const names = scoreNamesIn(scores);
  const required = Number(reviewers);
  const isNumber = Number.isInteger(required) && required >= 1 && required <= reviewersMax;
  const isReady = name.trim() !== '' && names.length > 0 && isNumber && !add.isPending;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    add.mutate(
      {
        ...{ name: name.trim(), instructions: instructions.trim(), score_config_names: names, reviewers_required: required },
        ...asSent(reviewing),
      },
      { onSuccess: ({ data }) => onAdded(data) },
    );
  };

  return (
    <Dialog title="New queue" onClose={onClose}>
      <form onSubmit={submit} className="grid gap-3">
        <Field label="Name" value={name} placeholder="Answers of last week" onChange={(event) => setName(event.target.value)} />
        <div className="grid grid-cols-3 gap-3">
          <div className="col-span-2">
            <Field
              label="Scores"
              value={scores}
              placeholder="helpfulness, tone"
              help={misspeltScores(scores, known) || 'Score names, separated by commas.'}
              onChange={(event) => setScores(event.target.value)}
            />
          </div>
          <Field
            label="Reviewers per item"
            inputMode="numeric"
            value={reviewers}
            help={`1 to ${reviewersMax}.`}
            onChange={(event) => setReviewers(event.target.value)}
          />
        </div>
        {known.length > 0 && (
          <fieldset aria-label="Configured scores" className="flex flex-wrap gap-1">
            {known.map((score) => (
              <Button key={score} pressed={names.includes(score)} onClick={() => setScores(toggledScore(scores, score))}>
                {score}
              </Button>
            ))}
          </fieldset>
        )}
        <TextArea label="Instructions" value={instructions} onChange={(event) => setInstructions(event.target.value)} />
        <ReviewersField required={isNumber ? required : 1} value={reviewing} onChange={setReviewing} />
        <div className="flex items-center gap-2">
          <Button submit primary disabled={!isReady}>
            Create queue
          </Button>
          {add.isError && <Text tone="err">{asFailure(add.error, 'The queue could not be created').why}</Text>}
        </div>
      </form>
    </Dialog>
  );
}

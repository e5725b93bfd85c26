import { useReviewers } from '../../api/members.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { CheckField } from '../../ui/primitives/check-field.tsx';
import { Text } from '../../ui/primitives/text.tsx';

export interface Reviewing {
  reviewer_ids: readonly string[] | null;
  shares_evenly: boolean;
}

/** As it is sent. Nobody chosen means everybody, and then there is nobody to share items out among. */
export const asSent = ({ reviewer_ids, shares_evenly }: Reviewing) => {
  const ids = reviewer_ids?.length ? [...reviewer_ids] : null;
  return { reviewer_ids: ids, shares_evenly: ids !== null && shares_evenly };
};

interface ReviewersFieldProps {
  value: Reviewing;
  /** Reviews that each item needs. */
  required: number;
  onChange: (value: Reviewing) => void;
}

/** Who reviews a queue, and whether new items are shared out among them. */
export function ReviewersField({ value, required, onChange }: ReviewersFieldProps) {
  const { reviewers, hasFailed, retry } = useReviewers();
  const ids = value.reviewer_ids ?? [];
  const toggle = (id: string, isOn: boolean) =>
    onChange({ ...value, reviewer_ids: isOn ? [...ids, id] : ids.filter((each) => each !== id) });
  return (
    <fieldset className="grid gap-1">
      <legend className="text-fg-3 text-label">Who reviews</legend>
      <div className="grid max-h-40 grid-cols-2 gap-x-3 overflow-y-auto">
        {reviewers?.map(({ id, label }) => (
          <CheckField key={id} label={label} isOn={ids.includes(id)} onChange={(isOn) => toggle(id, isOn)} />
        ))}
      </div>
      {hasFailed ? (
        <div className="flex items-center gap-2">
          <Text tone="err">The members could not be loaded.</Text>
          <Button onClick={retry}>Try again</Button>
        </div>
      ) : (
        !reviewers && <Text tone="quiet">Loading the members</Text>
      )}
      {ids.length > 0 && required > ids.length && (
        <Text size="label" tone="err">{`Each item needs ${required} reviews: choose at least ${required} people.`}</Text>
      )}
      <Text size="label" tone="quiet">
        {ids.length === 0
          ? 'Nobody chosen: everybody in the team except the role read may review.'
          : 'Only they may review. API keys always may.'}
      </Text>
      <CheckField
        label="Share new items out evenly"
        help={ids.length === 0 ? 'Choose reviewers first.' : ''}
        isOn={ids.length > 0 && value.shares_evenly}
        isDisabled={ids.length === 0}
        onChange={(shares_evenly) => onChange({ ...value, shares_evenly })}
      />
    </fieldset>
  );
}

import { type FormEvent, useState } from 'react';
import type { ScoreConfig } from '../../../shared/contract/evaluation/score-configs.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { Segmented } from '../../ui/primitives/segmented.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { CategoryFields } from './category-fields.tsx';
import { configOf, draftOf, problemOf, type ScoreConfigDraft, type ScoreType } from './score-config-draft.ts';
import { useSaveScoreConfig } from './score-configs-query.ts';

const types: readonly { id: ScoreType; label: string; about: string }[] = [
  { id: 'categorical', label: 'Categories', about: 'One of several labels. The value is what averages are made of.' },
  { id: 'numeric', label: 'Number', about: 'A number, within a range if you set one.' },
  { id: 'boolean', label: 'Pass or fail', about: 'Stored as 1 or 0.' },
  { id: 'text', label: 'Text', about: 'Free text, stored as the label of a score of 0.' },
];

interface ScoreConfigFormProps {
  /** Null for a new one. */
  config: ScoreConfig | null;
  onClose: () => void;
}

/** Form for a score configuration. Its name cannot be changed, because scores have it. */
export function ScoreConfigForm({ config, onClose }: ScoreConfigFormProps) {
  const save = useSaveScoreConfig();
  const [draft, setDraft] = useState(() => draftOf(config));
  const change = (part: Partial<ScoreConfigDraft>) => setDraft({ ...draft, ...part });
  const problem = problemOf(draft);
  const refusal = refusalOf(save.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem !== null || save.isPending) return;
    save.mutate({ config: configOf(draft), isNew: config === null, archived: config?.archived ?? false }, { onSuccess: onClose });
  };
  return (
    <Dialog title={config ? `Edit ${config.name}` : 'New score configuration'} onClose={onClose}>
      <form onSubmit={submit} className="grid gap-3">
        <Field
          label="Name"
          autoFocus={config === null}
          readOnly={config !== null}
          value={draft.name}
          placeholder="helpfulness"
          help={config ? 'Scores have this name, so it stays.' : undefined}
          problem={refusal.fields.name}
          onChange={(event) => change({ name: event.target.value })}
        />
        <Field
          label="Description"
          value={draft.description}
          placeholder="Did the answer help?"
          help="Shown to reviewers."
          problem={refusal.fields.description}
          onChange={(event) => change({ description: event.target.value })}
        />
        <div className="grid justify-items-start gap-1">
          <Text size="label" tone="quiet">
            Type
          </Text>
          <Segmented label="Type" options={types} value={draft.type} onChange={(type) => change({ type })} />
          <Text size="label" tone="dim">
            {types.find(({ id }) => id === draft.type)?.about}
          </Text>
        </div>
        {draft.type === 'numeric' && <RangeFields draft={draft} onChange={change} />}
        {draft.type === 'categorical' && <CategoryFields categories={draft.categories} onChange={(categories) => change({ categories })} />}
        <FormFoot problem={restOf(refusal, ['name', 'description'])}>
          <Button submit primary disabled={problem !== null} aria-busy={save.isPending}>
            {config ? 'Save' : 'Create'}
          </Button>
          {problem && <Text tone="dim">{problem}</Text>}
        </FormFoot>
      </form>
    </Dialog>
  );
}

const RangeFields = ({ draft, onChange }: { draft: ScoreConfigDraft; onChange: (part: Partial<ScoreConfigDraft>) => void }) => (
  <div className="grid grid-cols-2 gap-3">
    <Field
      label="Lowest value"
      inputMode="decimal"
      value={draft.min}
      placeholder="none"
      onChange={(event) => onChange({ min: event.target.value })}
    />
    <Field
      label="Highest value"
      inputMode="decimal"
      value={draft.max}
      placeholder="none"
      onChange={(event) => onChange({ max: event.target.value })}
    />
  </div>
);

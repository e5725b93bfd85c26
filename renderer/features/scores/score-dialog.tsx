import { Link } from '@tanstack/react-router';
import { type FormEvent, useId, useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { useScoreConfigs } from '../../api/score-configs.ts';
import { plural } from '../../model/text/format.ts';
import { ActOutcome, outcomeLink } from '../../ui/overlays/act-outcome.tsx';
import type { Place } from '../../ui/overlays/chosen-places.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { firstKind, idOf, inWords, PlaceKinds } from '../../ui/overlays/place-kinds.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { InlineSelect } from '../../ui/primitives/inline-select.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { useAddScores, useScoreNames } from './scores-query.ts';

interface ScoreDialogProps {
  /** What is scored; without it the dialog asks for an id. */
  places?: readonly Place[];
  onClose: () => void;
}

/** Dialog to add a score to a span or to traces. */
export function ScoreDialog({ places = [], onClose }: ScoreDialogProps) {
  const [kind, setKind] = useState(firstKind(places));
  const [typed, setTyped] = useState('');
  const draft = useDraft();
  const add = useAddScores();
  const resources = places.length > 0 ? places.map((place) => idOf(place, kind)) : [typed.trim()];
  const isReady = draft.score !== null && resources[0] !== '' && !add.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && draft.score) add.mutate({ ...draft.score, resources }, places.length > 0 ? {} : { onSuccess: onClose });
  };
  const openScores = (
    <Link to="/scores" onClick={onClose} className={outcomeLink}>
      Open scores
    </Link>
  );
  return (
    <Dialog title={places.length > 0 ? `Score ${inWords(places, kind)}` : 'Add a score'} onClose={onClose}>
      {add.isSuccess && places.length > 0 ? (
        <ActOutcome outcome={`${plural(resources.length, 'score')} added.`} link={openScores} onClose={onClose} />
      ) : (
        <form onSubmit={submit} className="grid gap-3">
          {places.length > 0 ? (
            <PlaceKinds label="What to score" places={places} kind={kind} onKind={setKind} />
          ) : (
            <Field
              label="Trace or span ID"
              value={typed}
              help="The trace or span may arrive later."
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
          {draft.fields}
          <FormFoot problem={add.error && asFailure(add.error, 'The score could not be added').why}>
            <Button submit primary disabled={!isReady}>
              Add score
            </Button>
          </FormFoot>
        </form>
      )}
    </Dialog>
  );
}

/** Fields of a score. Configured scores offer their categories. `score` is null until it can be added. */
function useDraft() {
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const [label, setLabel] = useState('');
  const [reason, setReason] = useState('');
  const number = value.trim() === '' ? Number.NaN : Number(value);
  const score =
    name.trim() !== '' && Number.isFinite(number) ? { name: name.trim(), score: number, label: label.trim(), reason: reason.trim() } : null;
  const fields = (
    <>
      <div className="grid grid-cols-3 gap-3">
        <NameField value={name} onChange={setName} />
        <Field label="Value" inputMode="decimal" value={value} placeholder="0.7" onChange={(event) => setValue(event.target.value)} />
        <LabelField name={name.trim()} value={label} onLabel={setLabel} onValue={setValue} />
      </div>
      <Field label="Reason" value={reason} onChange={(event) => setReason(event.target.value)} />
    </>
  );
  return { fields, score };
}

function NameField({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  const list = useId();
  const names = useScoreNames().data ?? [];
  const configs = useScoreConfigs().data ?? [];
  return (
    <>
      <Field label="Name" value={value} list={list} placeholder="helpfulness" onChange={(event) => onChange(event.target.value)} />
      <datalist id={list}>
        {[...new Set([...configs.map((known) => known.name), ...names])].map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
    </>
  );
}

interface LabelFieldProps {
  /** Name of the score. */
  name: string;
  value: string;
  onLabel: (label: string) => void;
  onValue: (value: string) => void;
}

function LabelField({ name, value, onLabel, onValue }: LabelFieldProps) {
  const config = (useScoreConfigs().data ?? []).find((known) => known.name === name);
  const categories = config?.data_type === 'categorical' ? config.categories : [];
  if (categories.length === 0)
    return <Field label="Label" value={value} placeholder="good" onChange={(event) => onLabel(event.target.value)} />;
  return (
    <div className="grid content-start gap-1">
      <Text size="label" tone="quiet">
        Label
      </Text>
      <InlineSelect
        label="Label"
        value={value}
        options={[{ id: '', label: 'Select' }, ...categories.map((category) => ({ id: category.label, label: category.label }))]}
        onChange={(id) => {
          onLabel(id);
          onValue(String(categories.find((category) => category.label === id)?.value ?? ''));
        }}
      />
    </div>
  );
}

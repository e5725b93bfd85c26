import { type FormEvent, useId, useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { InlineSelect } from '../../ui/primitives/inline-select.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { useAddScore, useScoreConfigs, useScoreNames } from './scores-query.ts';

/** Dialog to add a score to a trace or span by id. Configured scores offer their categories. */
export function ScoreDialog({ onClose }: { onClose: () => void }) {
  const list = useId();
  const names = useScoreNames().data ?? [];
  const configs = useScoreConfigs().data ?? [];
  const add = useAddScore();
  const [resource, setResource] = useState('');
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const [label, setLabel] = useState('');
  const [reason, setReason] = useState('');
  const config = configs.find((known) => known.name === name.trim());
  const categories = config?.data_type === 'categorical' ? config.categories : [];
  const number = value.trim() === '' ? Number.NaN : Number(value);
  const isReady = resource.trim() !== '' && name.trim() !== '' && Number.isFinite(number) && !add.isPending;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    add.mutate(
      { resource_id: resource.trim(), name: name.trim(), score: number, label: label.trim(), reason: reason.trim() },
      { onSuccess: onClose },
    );
  };
  const choose = (id: string) => {
    setLabel(id);
    setValue(String(categories.find((category) => category.label === id)?.value ?? ''));
  };

  return (
    <Dialog title="Add a score" onClose={onClose}>
      <form onSubmit={submit} className="grid gap-3">
        <Field
          label="Trace or span ID"
          value={resource}
          help="The trace or span may arrive later."
          onChange={(event) => setResource(event.target.value)}
        />
        <div className="grid grid-cols-3 gap-3">
          <Field label="Name" value={name} list={list} placeholder="helpfulness" onChange={(event) => setName(event.target.value)} />
          <datalist id={list}>
            {[...new Set([...configs.map((known) => known.name), ...names])].map((option) => (
              <option key={option} value={option} />
            ))}
          </datalist>
          <Field label="Value" inputMode="decimal" value={value} placeholder="0.7" onChange={(event) => setValue(event.target.value)} />
          {categories.length > 0 ? (
            <div className="grid content-start gap-1">
              <Text size="label" tone="quiet">
                Label
              </Text>
              <InlineSelect
                label="Label"
                value={label}
                options={[{ id: '', label: 'Select' }, ...categories.map((category) => ({ id: category.label, label: category.label }))]}
                onChange={choose}
              />
            </div>
          ) : (
            <Field label="Label" value={label} placeholder="good" onChange={(event) => setLabel(event.target.value)} />
          )}
        </div>
        <Field label="Reason" value={reason} onChange={(event) => setReason(event.target.value)} />
        <div className="flex items-center gap-2">
          <Button submit primary disabled={!isReady}>
            Add score
          </Button>
          {add.isError && <Text tone="err">{asFailure(add.error, 'The score could not be added').why}</Text>}
        </div>
      </form>
    </Dialog>
  );
}

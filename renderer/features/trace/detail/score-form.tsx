import { type FormEvent, useId, useState } from 'react';
import type { ScoreConfig } from '../../../../shared/contract/evaluation/score-configs.ts';
import { asFailure } from '../../../api/failure.ts';
import { useScoreConfigs } from '../../../api/score-configs.ts';
import { Button } from '../../../ui/primitives/button.tsx';
import { Field } from '../../../ui/primitives/field.tsx';
import { Segmented } from '../../../ui/primitives/segmented.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { useAddScore } from './span-query.ts';

interface ScoreFormProps {
  traceId: string;
  spanId: string;
}

interface Choice {
  id: string;
  label: string;
  value: number;
}

/** Choices of a configured score; null for a score that takes any number. */
function choicesOf(config: ScoreConfig | undefined): Choice[] | null {
  if (config?.data_type === 'boolean') return [1, 0].map((value) => ({ id: String(value), label: value === 1 ? 'pass' : 'fail', value }));
  if (config?.data_type === 'categorical') return config.categories.map(({ label, value }) => ({ id: label, label, value }));
  return null;
}

/** Form to add a score. Configured scores offer their choices; any other name takes a number. */
export function ScoreForm({ traceId, spanId }: ScoreFormProps) {
  const names = useId();
  const configs = useScoreConfigs().data ?? [];
  const add = useAddScore(traceId, spanId);
  const [name, setName] = useState('');
  const [number, setNumber] = useState('');
  const [choice, setChoice] = useState('');
  const [reason, setReason] = useState('');
  const config = configs.find((config) => config.name === name.trim());
  const choices = choicesOf(config);
  const chosen = choices?.find(({ id }) => id === choice);
  const isText = config?.data_type === 'text';
  const value = isText
    ? number.trim() === ''
      ? undefined
      : 0
    : choices
      ? chosen?.value
      : number.trim() === ''
        ? undefined
        : Number(number);
  const isReady = name.trim() !== '' && value !== undefined && Number.isFinite(value) && !add.isPending;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const clear = () => {
      setNumber('');
      setChoice('');
      setReason('');
    };
    add.mutate(
      { name: name.trim(), score: value, label: isText ? number.trim() : (chosen?.label ?? ''), reason: reason.trim() },
      { onSuccess: clear },
    );
  };

  return (
    <form onSubmit={submit} aria-label="Add a score" className="grid gap-2">
      <div className="flex flex-wrap items-end gap-2">
        <div className="w-side">
          <Field label="Name" value={name} list={names} placeholder="helpfulness" onChange={(event) => setName(event.target.value)} />
        </div>
        <datalist id={names}>
          {configs.map((option) => (
            <option key={option.name} value={option.name} />
          ))}
        </datalist>
        {choices ? (
          <Segmented label="Value" options={choices} value={choice} onChange={setChoice} />
        ) : (
          <div className="w-total">
            <Field
              label="Value"
              inputMode={isText ? 'text' : 'decimal'}
              value={number}
              placeholder={isText ? 'Text' : '0.7'}
              {...(config?.data_type === 'numeric' ? { min: config.min, max: config.max } : {})}
              onChange={(event) => setNumber(event.target.value)}
            />
          </div>
        )}
        <div className="min-w-side flex-1">
          <Field label="Reason" value={reason} onChange={(event) => setReason(event.target.value)} />
        </div>
        <Button submit primary disabled={!isReady}>
          Add score
        </Button>
      </div>
      {add.isError && <Text tone="err">{asFailure(add.error, 'The score could not be added').why}</Text>}
    </form>
  );
}

import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { useWorker, useWorkerEvals } from '../../api/worker.ts';
import { workerLines } from '../../model/setup/worker-lines.ts';
import { plural } from '../../model/text/format.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { CheckField } from '../../ui/primitives/check-field.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { CodeBlock } from '../../ui/viewers/code-block.tsx';
import { useStartExperiment } from './datasets-query.ts';
import { PromptField } from './prompt-field.tsx';
import { draftOf, problemsOf, type RunFields } from './run-draft.ts';

interface RunDialogProps {
  dataset: string;
  /** Number of rows; null while loading. */
  rows: number | null;
  onClose: () => void;
}

const emptyFields: RunFields = { name: '', prompt: '', concurrency: '5', rows: '', evals: new Set() };

/** Starts an experiment on the dataset and opens its page. */
export function RunDialog({ dataset, rows, onClose }: RunDialogProps) {
  const navigate = useNavigate();
  const worker = useWorker();
  const start = useStartExperiment();
  const [fields, setFields] = useState(emptyFields);
  const change = (part: Partial<RunFields>) => setFields((before) => ({ ...before, ...part }));
  const problems = problemsOf(fields);
  const refusal = refusalOf(start.error);
  const isReady = worker.data && Object.keys(problems).length === 0 && !start.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const open = (id: string) => void navigate({ to: '/experiments', search: { id } });
    start.mutate(draftOf(dataset, fields), { onSuccess: ({ data }) => open(data.experiment_id) });
  };
  return (
    <Dialog title="Run experiment" onClose={onClose}>
      <form onSubmit={submit} className="grid gap-3">
        <Text as="p" tone="quiet">
          {`The worker runs ${rows === null ? 'every row' : plural(rows, 'row')} of ${dataset}. Each becomes a trace, with its scores.`}
        </Text>
        {worker.data === null && <NoWorker />}
        {worker.isError && <Text tone="err">{asFailure(worker.error, '').why}</Text>}
        <Field
          label="Name"
          value={fields.name}
          placeholder="generated if empty"
          onChange={(event) => change({ name: event.target.value })}
        />
        <PromptField value={fields.prompt} problem={problems.prompt ?? refusal.fields.prompt} onChange={(prompt) => change({ prompt })} />
        <Evals isConnected={Boolean(worker.data)} selected={fields.evals} onChange={(evals) => change({ evals })} />
        <div className="grid grid-cols-2 gap-3">
          <Field
            label="Concurrency"
            inputMode="numeric"
            value={fields.concurrency}
            problem={problems.concurrency}
            onChange={(event) => change({ concurrency: event.target.value })}
          />
          <Field
            label="Row limit"
            inputMode="numeric"
            value={fields.rows}
            placeholder="all"
            problem={problems.rows}
            onChange={(event) => change({ rows: event.target.value })}
          />
        </div>
        <FormFoot problem={restOf(refusal, ['prompt'])}>
          <Button submit primary disabled={!isReady}>
            Start run
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormFoot>
      </form>
    </Dialog>
  );
}

const NoWorker = () => (
  <div role="status" className="grid gap-2">
    <Text as="p" tone="warm">
      No eval worker of this app is connected. Start one next to your code and its keys; this page detects it.
    </Text>
    <CodeBlock code={workerLines(window.location.origin)} label="the commands" />
  </div>
);

interface EvalsProps {
  isConnected: boolean;
  selected: ReadonlySet<string>;
  onChange: (selected: ReadonlySet<string>) => void;
}

function Evals({ isConnected, selected, onChange }: EvalsProps) {
  const evals = useWorkerEvals(isConnected);
  if (!isConnected) return null;
  const select = (name: string, isOn: boolean) => {
    const after = new Set(selected);
    if (isOn) after.add(name);
    else after.delete(name);
    onChange(after);
  };
  return (
    <fieldset className="grid">
      <legend className="text-fg-2 text-label">Evals</legend>
      {evals.data?.map((name) => (
        <CheckField key={name} mono label={name} isOn={selected.has(name)} onChange={(isOn) => select(name, isOn)} />
      ))}
      {evals.data?.length === 0 && <Text tone="dim">The worker has no evals, so nothing will be scored.</Text>}
      {evals.isPending && <Text tone="dim">Loading evals…</Text>}
      {evals.isError && <Text tone="err">{asFailure(evals.error, '').why}</Text>}
    </fieldset>
  );
}

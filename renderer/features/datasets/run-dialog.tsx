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
import { draftOf, problemsOf, type TypedRun } from './run-draft.ts';

interface RunDialogProps {
  dataset: string;
  /** Null while they are counted. */
  rows: number | null;
  onClose: () => void;
}

const begin: TypedRun = { name: '', prompt: '', concurrency: '5', rows: '', evals: new Set() };

/** Starts an experiment on the dataset and opens its page. */
export function RunDialog({ dataset, rows, onClose }: RunDialogProps) {
  const navigate = useNavigate();
  const worker = useWorker();
  const start = useStartExperiment();
  const [typed, setTyped] = useState(begin);
  const type = (change: Partial<TypedRun>) => setTyped((before) => ({ ...before, ...change }));
  const problems = problemsOf(typed);
  const refusal = refusalOf(start.error);
  const isReady = worker.data && Object.keys(problems).length === 0 && !start.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const open = (id: string) => void navigate({ to: '/experiments', search: { id } });
    start.mutate(draftOf(dataset, typed), { onSuccess: ({ data }) => open(data.experiment_id) });
  };
  return (
    <Dialog title="Run an experiment" onClose={onClose}>
      <form onSubmit={submit} className="grid gap-3">
        <Text as="p" tone="quiet">
          {`The worker runs ${rows === null ? 'every row' : plural(rows, 'row')} of ${dataset}. Each becomes a trace, with its scores.`}
        </Text>
        {worker.data === null && <NoWorker />}
        {worker.isError && <Text tone="err">{asFailure(worker.error, '').why}</Text>}
        <Field
          label="Name"
          value={typed.name}
          placeholder="generated when empty"
          onChange={(event) => type({ name: event.target.value })}
        />
        <PromptField value={typed.prompt} problem={problems.prompt ?? refusal.fields.prompt} onChange={(prompt) => type({ prompt })} />
        <Evals isConnected={Boolean(worker.data)} chosen={typed.evals} onChange={(evals) => type({ evals })} />
        <div className="grid grid-cols-2 gap-3">
          <Field
            label="Rows at once"
            inputMode="numeric"
            value={typed.concurrency}
            problem={problems.concurrency}
            onChange={(event) => type({ concurrency: event.target.value })}
          />
          <Field
            label="Only the first rows"
            inputMode="numeric"
            value={typed.rows}
            placeholder="all"
            problem={problems.rows}
            onChange={(event) => type({ rows: event.target.value })}
          />
        </div>
        <FormFoot problem={restOf(refusal, ['prompt'])}>
          <Button submit primary disabled={!isReady}>
            Run it
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
      No worker of this app is connected. Start one where your code and its keys are; this page notices it.
    </Text>
    <CodeBlock code={workerLines(window.location.origin)} label="the lines" />
  </div>
);

interface EvalsProps {
  isConnected: boolean;
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}

function Evals({ isConnected, chosen, onChange }: EvalsProps) {
  const evals = useWorkerEvals(isConnected);
  if (!isConnected) return null;
  const choose = (name: string, isOn: boolean) => {
    const after = new Set(chosen);
    if (isOn) after.add(name);
    else after.delete(name);
    onChange(after);
  };
  return (
    <fieldset className="grid">
      <legend className="text-fg-2 text-label">Evals</legend>
      {evals.data?.map((name) => (
        <CheckField key={name} mono label={name} isOn={chosen.has(name)} onChange={(isOn) => choose(name, isOn)} />
      ))}
      {evals.data?.length === 0 && <Text tone="dim">The worker has none: nothing will be scored.</Text>}
      {evals.isPending && <Text tone="dim">Asking the worker…</Text>}
      {evals.isError && <Text tone="err">{asFailure(evals.error, '').why}</Text>}
    </fieldset>
  );
}

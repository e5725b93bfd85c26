/** Adds traces or spans to a dataset without leaving the page: one with its fields to edit, several by a mapping. */
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { DatasetRow } from '../../../shared/contract/projects/datasets.ts';
import { type RowSource, rowOf } from '../../../shared/row-mapping.ts';
import { asFailure } from '../../api/failure.ts';
import { plural } from '../../model/text/format.ts';
import { ActOutcome, outcomeLink } from '../../ui/overlays/act-outcome.tsx';
import type { Place } from '../../ui/overlays/chosen-places.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { firstKind, inWords, PlaceKinds } from '../../ui/overlays/place-kinds.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { SelectField } from '../../ui/primitives/select-field.tsx';
import { SkeletonCards } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { useDatasets, useImport, useWholeSource } from './datasets-query.ts';
import { RowForm } from './row-form.tsx';

interface AddDialogProps {
  /** With a span, that span; without, the trace. Several are traces. */
  sources: readonly Place[];
  onClose: () => void;
}

export function AddDialog({ sources, onClose }: AddDialogProps) {
  const target = useTarget();
  const [added, setAdded] = useState<string | null>(null);
  const [kind, setKind] = useState(firstKind(sources));
  const [first] = sources;
  const isOne = sources.length === 1 && first !== undefined;
  const openDataset = (
    <Link to="/datasets" search={{ name: `${target.name}.jsonl` }} className={outcomeLink}>
      Open dataset
    </Link>
  );
  return (
    <Dialog title={`Add ${inWords(sources, kind)} to a dataset`} onClose={onClose}>
      {added === null ? (
        <div className="grid gap-3">
          {target.fields}
          {isOne ? (
            <>
              <PlaceKinds label="What to add" places={sources} kind={kind} onKind={setKind} />
              <EditedRow key={kind} source={kind === 'span' ? first : { ...first, spanId: '' }} name={target.name} onAdded={setAdded} />
            </>
          ) : (
            <MappedRows ids={sources.map(({ traceId }) => traceId)} name={target.name} onAdded={setAdded} />
          )}
        </div>
      ) : (
        <ActOutcome outcome={added} link={openDataset} onClose={onClose} />
      )}
    </Dialog>
  );
}

const another = '';

/** Fields to choose a dataset, or to name a new one. */
function useTarget() {
  const datasets = useDatasets();
  const [chosen, setChosen] = useState<string | null>(null);
  const [newName, setNewName] = useState('');
  const names = (datasets.data?.rows ?? []).map(({ name }) => name.replace(/\.jsonl$/, ''));
  const selected = chosen ?? names[0] ?? another;
  const fields = datasets.isPending ? (
    <SkeletonCards label="Loading datasets" />
  ) : (
    <>
      <SelectField
        label="Dataset"
        options={[...names.map((name) => ({ id: name, label: name })), { id: another, label: 'New dataset…' }]}
        value={selected}
        onChange={setChosen}
      />
      {selected === another && (
        <Field
          label="Name"
          value={newName}
          placeholder="refunds/hard-cases"
          help="A path under the templates folder."
          onChange={(event) => setNewName(event.target.value)}
        />
      )}
    </>
  );
  return { fields, name: selected === another ? newName.trim().replace(/\.jsonl$/, '') : selected };
}

interface RowsProps {
  name: string;
  onAdded: (outcome: string) => void;
}

function EditedRow({ source, name, onAdded }: RowsProps & { source: Place }) {
  const found = useWholeSource(source);
  if (found.isPending) return <SkeletonCards label="Loading the texts" />;
  if (!found.data) return <Text tone="err">{asFailure(found.error ?? new Error('It is no longer stored'), '').why}</Text>;
  return <RowForm name={name} draft={draftOf(found.data)} submitLabel="Add row" onAdded={() => onAdded(`Row added to ${name}.`)} />;
}

/** The row that a mapping without paths makes; empty where it makes none. */
function draftOf(source: RowSource): Required<DatasetRow> {
  return rowOf(source.input === undefined ? { ...source, input: '' } : source);
}

function MappedRows({ ids, name, onAdded }: RowsProps & { ids: readonly string[] }) {
  const [input, setInput] = useState('');
  const [expected, setExpected] = useState('');
  const add = useImport(name, 'traces');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const mapping = { ...(input.trim() && { input: input.trim() }), ...(expected.trim() && { expected_output: expected.trim() }) };
    add.mutate(
      { ids: [...ids], mapping },
      { onSuccess: ({ added, results }) => onAdded(`${added} of ${plural(results.length, 'row')} added to ${name}.`) },
    );
  };
  return (
    <form onSubmit={submit} className="grid gap-3">
      <Field label="Input" value={input} placeholder="props, otherwise $.input" onChange={(event) => setInput(event.target.value)} />
      <Field
        label="Expected output"
        value={expected}
        placeholder="$.output"
        help="Paths into each trace: $ is the whole value, $.a.b a field, $.list[0] an item."
        onChange={(event) => setExpected(event.target.value)}
      />
      <FormFoot problem={add.error && asFailure(add.error, 'The rows could not be added').why}>
        <Button submit primary disabled={name === '' || add.isPending}>
          {`Add ${plural(ids.length, 'row')}`}
        </Button>
      </FormFoot>
    </form>
  );
}

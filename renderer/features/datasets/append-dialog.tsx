import { type FormEvent, useState } from 'react';
import type { DatasetRow } from '../../../shared/contract/projects/datasets.ts';
import { asFailure } from '../../api/failure.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { TextArea } from '../../ui/primitives/text-area.tsx';
import { useAppend } from './datasets-query.ts';
import { readMetadata, readValue } from './row-draft.ts';

interface AppendDialogProps {
  /** Dataset; without one the form asks for a name. */
  name?: string;
  onClose: () => void;
  onAdded: (name: string, line: number) => void;
}

/** Adds a row by hand. JSON is stored as JSON, anything else as text. */
export function AppendDialog({ name: given, onClose, onAdded }: AppendDialogProps) {
  const [named, setNamed] = useState('');
  const [input, setInput] = useState('');
  const [expected, setExpected] = useState('');
  const [metadata, setMetadata] = useState('');
  const name = given ?? named.trim().replace(/\.jsonl$/, '');
  const append = useAppend(name);
  const meta = readMetadata(metadata);
  const isReady = name !== '' && input.trim() !== '' && meta.problem === undefined && !append.isPending;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const row: DatasetRow = { input: readValue(input), metadata: meta.value };
    if (expected.trim() !== '') row.expected_output = readValue(expected);
    append.mutate(row, {
      onSuccess: ({ data }) => {
        onClose();
        onAdded(name.endsWith('.jsonl') ? name : `${name}.jsonl`, data.line_number);
      },
    });
  };

  return (
    <Dialog title={given === undefined ? 'New dataset' : 'Add a row'} onClose={onClose}>
      <form onSubmit={submit} className="grid gap-3">
        {given === undefined && (
          <Field
            label="Name"
            value={named}
            placeholder="refunds/hard-cases"
            help="A path under the templates folder. The dataset begins with its first row."
            onChange={(event) => setNamed(event.target.value)}
          />
        )}
        <TextArea
          label="Input"
          value={input}
          placeholder='{"question": "Where is my order?"}'
          help="JSON, or any text."
          onChange={(event) => setInput(event.target.value)}
        />
        <TextArea label="Expected output" rows={3} value={expected} onChange={(event) => setExpected(event.target.value)} />
        <TextArea
          label="Metadata"
          rows={2}
          value={metadata}
          problem={meta.problem}
          placeholder='{"source": "support"}'
          onChange={(event) => setMetadata(event.target.value)}
        />
        <div className="flex items-center gap-2">
          <Button submit primary disabled={!isReady}>
            {given === undefined ? 'Make the dataset' : 'Add the row'}
          </Button>
          {append.isError && <Text tone="err">{asFailure(append.error, 'The row was not added').why}</Text>}
        </div>
      </form>
    </Dialog>
  );
}

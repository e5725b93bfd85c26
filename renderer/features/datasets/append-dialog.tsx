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
  /** Dataset to add to; without it the form asks for the name of a new one. */
  name?: string;
  onClose: () => void;
  onAdded: (name: string, line: number) => void;
}

/** Dialog to add a row. A value that is valid JSON is stored as JSON, any other as text. */
export function AppendDialog({ name: existingName, onClose, onAdded }: AppendDialogProps) {
  const [newName, setNewName] = useState('');
  const [input, setInput] = useState('');
  const [expected, setExpected] = useState('');
  const [metadata, setMetadata] = useState('');
  const name = existingName ?? newName.trim().replace(/\.jsonl$/, '');
  const append = useAppend(name);
  const parsedMetadata = readMetadata(metadata);
  const isReady = name !== '' && input.trim() !== '' && parsedMetadata.problem === undefined && !append.isPending;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const row: DatasetRow = { input: readValue(input), metadata: parsedMetadata.value };
    if (expected.trim() !== '') row.expected_output = readValue(expected);
    append.mutate(row, {
      onSuccess: ({ data }) => {
        onClose();
        onAdded(name.endsWith('.jsonl') ? name : `${name}.jsonl`, data.line_number);
      },
    });
  };

  return (
    <Dialog title={existingName === undefined ? 'New dataset' : 'Add a row'} onClose={onClose}>
      <form onSubmit={submit} className="grid gap-3">
        {existingName === undefined && (
          <Field
            label="Name"
            value={newName}
            placeholder="refunds/hard-cases"
            help="A path under the templates folder. The dataset is created with its first row."
            onChange={(event) => setNewName(event.target.value)}
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
          problem={parsedMetadata.problem}
          placeholder='{"source": "support"}'
          onChange={(event) => setMetadata(event.target.value)}
        />
        <div className="flex items-center gap-2">
          <Button submit primary disabled={!isReady}>
            {existingName === undefined ? 'Create dataset' : 'Add row'}
          </Button>
          {append.isError && <Text tone="err">{asFailure(append.error, 'The row could not be added').why}</Text>}
        </div>
      </form>
    </Dialog>
  );
}

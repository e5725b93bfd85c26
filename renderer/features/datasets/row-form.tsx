import { type FormEvent, useState } from 'react';
import type { DatasetRow } from '../../../shared/contract/projects/datasets.ts';
import { asFailure } from '../../api/failure.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { TextArea } from '../../ui/primitives/text-area.tsx';
import { useAppend } from './datasets-query.ts';
import { readMetadata, readValue, written } from './row-draft.ts';

interface RowFormProps {
  /** Dataset to add to; '' until it has a name. */
  name: string;
  /** What the fields contain at first. */
  draft?: DatasetRow;
  submitLabel: string;
  onAdded: (line: number) => void;
}

/** Fields of a dataset row, and the button that adds it. A value that is valid JSON is stored as JSON, any other as text. */
export function RowForm({ name, draft, submitLabel, onAdded }: RowFormProps) {
  const [input, setInput] = useState(() => (draft ? written(draft.input) : ''));
  const output = draft?.expected_output ?? null;
  const [expected, setExpected] = useState(() => (output === null ? '' : written(output)));
  const [metadata, setMetadata] = useState('');
  const append = useAppend(name);
  const parsed = readMetadata(metadata);
  const isReady = name !== '' && input.trim() !== '' && parsed.problem === undefined && !append.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const row: DatasetRow = { input: readValue(input), metadata: parsed.value };
    if (expected.trim() !== '') row.expected_output = readValue(expected);
    append.mutate(row, { onSuccess: ({ data }) => onAdded(data.line_number) });
  };
  return (
    <form onSubmit={submit} className="grid gap-3">
      <TextArea
        label="Input"
        value={input}
        placeholder='{"question": "Where is my order?"}'
        help="JSON, or any text."
        onChange={(event) => setInput(event.target.value)}
      />
      <TextArea label="Expected output" rows={4} value={expected} onChange={(event) => setExpected(event.target.value)} />
      <TextArea
        label="Metadata"
        rows={2}
        value={metadata}
        problem={parsed.problem}
        placeholder='{"source": "support"}'
        onChange={(event) => setMetadata(event.target.value)}
      />
      <FormFoot problem={append.error && asFailure(append.error, 'The rows could not be added').why}>
        <Button submit primary disabled={!isReady}>
          {submitLabel}
        </Button>
      </FormFoot>
    </form>
  );
}

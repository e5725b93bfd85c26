import { useState } from 'react';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { RowForm } from './row-form.tsx';

interface AppendDialogProps {
  /** Dataset to add to; without it the form asks for the name of a new one. */
  name?: string;
  onClose: () => void;
  onAdded: (name: string, line: number) => void;
}

/** Dialog to add a row to a dataset, or to create a dataset with its first row. */
export function AppendDialog({ name: existingName, onClose, onAdded }: AppendDialogProps) {
  const [newName, setNewName] = useState('');
  const isNew = existingName === undefined;
  const name = existingName ?? newName.trim().replace(/\.jsonl$/, '');
  const close = (line: number) => {
    onClose();
    onAdded(name.endsWith('.jsonl') ? name : `${name}.jsonl`, line);
  };
  return (
    <Dialog title={isNew ? 'New dataset' : 'Add a row'} onClose={onClose}>
      <div className="grid gap-3">
        {isNew && (
          <Field
            label="Name"
            value={newName}
            placeholder="refunds/hard-cases"
            help="A path under the templates folder. The dataset is created with its first row."
            onChange={(event) => setNewName(event.target.value)}
          />
        )}
        <RowForm name={name} submitLabel={isNew ? 'Create dataset' : 'Add row'} onAdded={close} />
      </div>
    </Dialog>
  );
}

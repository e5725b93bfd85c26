import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useMayDelete, useTraceDeletion } from '../../../api/trace-deletions.ts';
import { DeleteTracesDialog } from '../../../ui/overlays/delete-traces-dialog.tsx';
import { IconButton } from '../../../ui/primitives/button.tsx';
import { Icon } from '../../../ui/primitives/icon.tsx';
import { useKeys } from '../../../ui/primitives/keys.tsx';

/** Button and key to delete the trace. */
export function DeleteTrace({ traceId, onDeleted }: { traceId: string; onDeleted: () => void }) {
  const mayDelete = useMayDelete();
  const [isOpen, setOpen] = useState(false);
  useKeys('Trace', mayDelete ? [{ on: ['Delete'], label: 'Delete the trace', run: () => setOpen(true) }] : []);
  if (!mayDelete) return null;
  return (
    <>
      <IconButton label="Delete trace… (Del)" onClick={() => setOpen(true)}>
        <Icon of={Trash2} />
      </IconButton>
      {isOpen && <Confirmation traceId={traceId} onDeleted={onDeleted} onClose={() => setOpen(false)} />}
    </>
  );
}

function Confirmation({ traceId, onDeleted, onClose }: { traceId: string; onDeleted: () => void; onClose: () => void }) {
  const { count, isBusy, problem, remove } = useTraceDeletion({ trace_ids: [traceId] }, onDeleted);
  return <DeleteTracesDialog of="this trace" count={count} isBusy={isBusy} problem={problem} onConfirm={remove} onClose={onClose} />;
}

import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useMayDelete, useTraceDeletion } from '../../../api/trace-deletions.ts';
import { DeleteTracesDialog } from '../../../ui/overlays/delete-traces-dialog.tsx';
import { IconButton } from '../../../ui/primitives/button.tsx';
import { Icon } from '../../../ui/primitives/icon.tsx';
import { useKeys } from '../../../ui/primitives/keys.tsx';

interface DeleteTraceProps {
  traceId: string;
  onDeleted: () => void;
}

/** Button and key to delete the trace. */
export const DeleteTrace = (props: DeleteTraceProps) => (useMayDelete() ? <DeleteButton {...props} /> : null);

function DeleteButton({ traceId, onDeleted }: DeleteTraceProps) {
  const [isOpen, setOpen] = useState(false);
  useKeys('Whole trace', [{ on: ['Delete'], label: 'Delete the trace', run: () => setOpen(true) }]);
  return (
    <>
      <IconButton label="Delete trace… (Delete)" onClick={() => setOpen(true)}>
        <Icon of={Trash2} />
      </IconButton>
      {isOpen && <Confirmation traceId={traceId} onDeleted={onDeleted} onClose={() => setOpen(false)} />}
    </>
  );
}

function Confirmation({ traceId, onDeleted, onClose }: DeleteTraceProps & { onClose: () => void }) {
  const { count, isBusy, problem, remove } = useTraceDeletion({ trace_ids: [traceId] }, onDeleted);
  return <DeleteTracesDialog of="this trace" count={count} isBusy={isBusy} problem={problem} onConfirm={remove} onClose={onClose} />;
}

import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useMayDelete, useTraceDeletion } from '../../api/trace-deletions.ts';
import { DeleteTracesDialog } from '../../ui/overlays/delete-traces-dialog.tsx';
import { IconButton } from '../../ui/primitives/button.tsx';
import { Icon } from '../../ui/primitives/icon.tsx';
import { useKeys } from '../../ui/primitives/keys.tsx';

interface DeleteSessionProps {
  sessionId: string;
  onDeleted: () => void;
}

/** Button and key to delete all traces of the session. */
export const DeleteSession = (props: DeleteSessionProps) => (useMayDelete() ? <DeleteButton {...props} /> : null);

function DeleteButton({ sessionId, onDeleted }: DeleteSessionProps) {
  const [isOpen, setOpen] = useState(false);
  useKeys('Whole session', [{ on: ['Delete'], label: 'Delete the session', run: () => setOpen(true) }]);
  return (
    <>
      <IconButton label="Delete session… (Delete)" onClick={() => setOpen(true)}>
        <Icon of={Trash2} />
      </IconButton>
      {isOpen && <Confirmation sessionId={sessionId} onDeleted={onDeleted} onClose={() => setOpen(false)} />}
    </>
  );
}

function Confirmation({ sessionId, onDeleted, onClose }: DeleteSessionProps & { onClose: () => void }) {
  const { count, isBusy, problem, remove } = useTraceDeletion({ session_id: sessionId }, onDeleted);
  return <DeleteTracesDialog of="this session" count={count} isBusy={isBusy} problem={problem} onConfirm={remove} onClose={onClose} />;
}

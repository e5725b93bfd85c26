import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useMayDelete, useTraceDeletion } from '../../api/trace-deletions.ts';
import { DeleteTracesDialog } from '../../ui/overlays/delete-traces-dialog.tsx';
import { IconButton } from '../../ui/primitives/button.tsx';
import { Icon } from '../../ui/primitives/icon.tsx';

/** Button to delete all traces of the session. */
export function DeleteSession({ sessionId, onDeleted }: { sessionId: string; onDeleted: () => void }) {
  const mayDelete = useMayDelete();
  const [isOpen, setOpen] = useState(false);
  if (!mayDelete) return null;
  return (
    <>
      <IconButton label="Delete session…" onClick={() => setOpen(true)}>
        <Icon of={Trash2} />
      </IconButton>
      {isOpen && <Confirmation sessionId={sessionId} onDeleted={onDeleted} onClose={() => setOpen(false)} />}
    </>
  );
}

function Confirmation({ sessionId, onDeleted, onClose }: { sessionId: string; onDeleted: () => void; onClose: () => void }) {
  const { count, isBusy, problem, remove } = useTraceDeletion({ session_id: sessionId }, onDeleted);
  return <DeleteTracesDialog of="this session" count={count} isBusy={isBusy} problem={problem} onConfirm={remove} onClose={onClose} />;
}

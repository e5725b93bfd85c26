import { type DeletedTraces, useTraceDeletion } from '../../api/trace-deletions.ts';
import { DeleteTracesDialog } from '../../ui/overlays/delete-traces-dialog.tsx';

interface DeleteTracesProps {
  traces: DeletedTraces;
  /** What the traces are, for the title. */
  of: string;
  onDeleted: () => void;
  onClose: () => void;
}

/** Dialog to delete the selected traces, or all that match. */
export function DeleteTraces({ traces, of, onDeleted, onClose }: DeleteTracesProps) {
  const deletion = useTraceDeletion(traces, () => {
    onClose();
    onDeleted();
  });
  const { count, isBusy, problem, remove } = deletion;
  return <DeleteTracesDialog of={of} count={count} isBusy={isBusy} problem={problem} onConfirm={remove} onClose={onClose} />;
}

import { useState } from 'react';
import { useMayDelete } from '../../api/trace-deletions.ts';
import { plural } from '../../model/text/format.ts';
import { RowAction } from '../../ui/primitives/row-action.tsx';
import { DeleteTraces } from './delete-traces.tsx';
import { isNarrowed, narrowingOf, type TracesView } from './url.ts';

interface DeleteMatchingProps {
  view: TracesView;
  total: number;
  /** There are at least `total` traces. */
  hasMore: boolean;
}

/** Button to delete all traces that the conditions of the list select. */
export function DeleteMatching({ view, total, hasMore }: DeleteMatchingProps) {
  const mayDelete = useMayDelete();
  const [chosen, setChosen] = useState<ReturnType<typeof narrowingOf> | null>(null);
  if (!mayDelete || !isNarrowed(view) || (total === 0 && chosen === null)) return null;
  const label = hasMore ? 'Delete all that match…' : `Delete all ${plural(total, 'trace')}…`;
  return (
    <>
      {/* A relative time range stays as it was when the dialog opened, so that what is deleted is what was counted. */}
      <RowAction label={label} onClick={() => setChosen(narrowingOf(view, Date.now()))}>
        {label}
      </RowAction>
      {chosen && <DeleteTraces traces={chosen} of="all traces that match" onDeleted={() => {}} onClose={() => setChosen(null)} />}
    </>
  );
}

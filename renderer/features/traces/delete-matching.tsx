import { useState } from 'react';
import { useMayDelete } from '../../api/trace-deletions.ts';
import { plural } from '../../model/text/format.ts';
import { Button } from '../../ui/primitives/button.tsx';
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
  return (
    <>
      {/* A relative time range stays as it was when the dialog opened, so that what is deleted is what was counted. */}
      <Button className="ml-auto" onClick={() => setChosen(narrowingOf(view, Date.now()))}>
        {hasMore ? 'Delete all that match…' : `Delete all ${plural(total, 'trace')}…`}
      </Button>
      {chosen && <DeleteTraces traces={chosen} of="all traces that match" onDeleted={() => {}} onClose={() => setChosen(null)} />}
    </>
  );
}

import { useState } from 'react';
import { type DeletedTraces, useMayDelete } from '../../api/trace-deletions.ts';
import { plural } from '../../model/text/format.ts';
import { useKeys } from '../../ui/primitives/keys.tsx';
import { RowAction } from '../../ui/primitives/row-action.tsx';
import { DeleteTraces } from './delete-traces.tsx';
import { isNarrowed, narrowingOf, ownerOf, type TracesView } from './url.ts';

interface DeleteMatchingProps {
  view: TracesView;
  total: number;
  /** There are at least `total` traces. */
  hasMore: boolean;
}

/** Button and command to delete all traces that the conditions of the list select, or all of a user or session. */
export function DeleteMatching(props: DeleteMatchingProps) {
  const mayDelete = useMayDelete();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  if (!mayDelete || !isNarrowed(props.view) || (props.total === 0 && chosen === null)) return null;
  return (
    <>
      {/* A relative time range stays as it was when the dialog opened, so that what is deleted is what was counted. */}
      <Choose label={labelOf(props)} onChoose={() => setChosen(chosenBy(props.view))} />
      {chosen && <DeleteTraces traces={chosen.traces} of={chosen.of} onDeleted={() => {}} onClose={() => setChosen(null)} />}
    </>
  );
}

function Choose({ label, onChoose }: { label: string; onChoose: () => void }) {
  useKeys('Traces', [{ on: [], label, run: onChoose }]);
  return (
    <RowAction label={label} onClick={onChoose}>
      {label}
    </RowAction>
  );
}

interface Chosen {
  traces: DeletedTraces;
  of: string;
}

const ownerNames = { user_id: 'user', session_id: 'session' };

/** With a user or session, also its bookkeeping traces, which the list hides. */
function chosenBy(view: TracesView): Chosen {
  const owner = ownerOf(view);
  if (!owner) return { traces: narrowingOf(view, Date.now()), of: 'all traces that match' };
  return { traces: { [owner.field]: owner.value }, of: `all traces of the ${ownerNames[owner.field]} ${owner.value}` };
}

function labelOf({ view, total, hasMore }: DeleteMatchingProps): string {
  const owner = ownerOf(view);
  if (owner) return `Delete all traces of this ${ownerNames[owner.field]}…`;
  return hasMore ? 'Delete all that match…' : `Delete all ${plural(total, 'trace')}…`;
}

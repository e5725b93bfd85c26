import { useState } from 'react';
import { deletedIdsMax } from '../../../shared/contract/tracing/trace-deletions.ts';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { usePlaceActs } from '../../api/place-acts.ts';
import { useMayDelete } from '../../api/trace-deletions.ts';
import { useTraceExports } from '../../api/trace-export.ts';
import { plural } from '../../model/text/format.ts';
import { tracesPrompt } from '../../model/trace/traces-prompt.ts';
import { ActsMenu, bindingsOf } from '../../ui/overlays/acts-menu.tsx';
import { CopyMenu } from '../../ui/overlays/copy-menu.tsx';
import { ExportMenu } from '../../ui/overlays/export-menu.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { useKeys } from '../../ui/primitives/keys.tsx';
import { CompareSelected } from './compare-selected.tsx';
import { DeleteTraces } from './delete-traces.tsx';

interface SelectionBarProps {
  selected: ReadonlyMap<string, ListedTrace>;
  onClear: () => void;
}

/** Actions on the selected rows. Where there is little room, those on the traces are in a menu. */
export function SelectionBar({ selected, onClear }: SelectionBarProps) {
  const traces = [...selected.values()];
  const ids = [...selected.keys()];
  const acts = usePlaceActs(
    ids.map((traceId) => ({ traceId, spanId: '' })),
    'the selected traces',
  );
  const exports = useTraceExports(ids);
  useKeys('Selection', [{ on: ['Escape'], label: 'Clear selection', run: onClear }, ...bindingsOf(acts)]);
  return (
    <section aria-label="Selection" className="flex h-header shrink-0 items-center gap-2 border-line border-t px-pad">
      <span className="mr-2 shrink-0 text-row tabular-nums">{`${plural(ids.length, 'trace')} selected`}</span>
      <CompareSelected selected={selected} />
      {acts.map(({ key, label, whyNot, run }) => (
        <Button key={key} hint={key} whyNot={whyNot} onClick={run} className="max-facets:hidden">
          {label}
        </Button>
      ))}
      <span className="facets:hidden">
        <ActsMenu label="More actions" acts={acts} />
      </span>
      <CopyMenu scope="Selection" entries={copiesOf(traces)} />
      <ExportMenu scope="Selection" label="Export the selected traces" text="Export" {...exports} />
      <DeleteSelected ids={ids} onDeleted={onClear} />
      <Button className="ml-auto" onClick={onClear}>
        Clear selection
      </Button>
    </section>
  );
}

const copiesOf = (traces: readonly ListedTrace[]) => [
  {
    label: 'AI prompt',
    about: 'summary of each, for an agent or a chat',
    text: () => tracesPrompt(plural(traces.length, 'trace'), traces, window.location.origin),
  },
  { label: 'IDs', about: 'one a line', text: () => traces.map(({ id }) => id).join('\n') },
  {
    label: 'Links',
    about: 'to the traces on this gateway',
    text: () => traces.map(({ id }) => `${window.location.origin}/#/traces/${encodeURIComponent(id)}`).join('\n'),
  },
];

const DeleteSelected = (props: { ids: readonly string[]; onDeleted: () => void }) => (useMayDelete() ? <DeleteButton {...props} /> : null);

function DeleteButton({ ids, onDeleted }: { ids: readonly string[]; onDeleted: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const whyNot = ids.length > deletedIdsMax ? `At most ${deletedIdsMax} at once` : undefined;
  useKeys('Selection', whyNot ? [] : [{ on: ['Delete'], label: 'Delete the selected traces', run: () => setOpen(true) }]);
  return (
    <>
      <Button whyNot={whyNot} onClick={() => setOpen(true)}>
        Delete…
      </Button>
      {isOpen && (
        <DeleteTraces
          traces={{ trace_ids: [...ids] }}
          of={ids.length === 1 ? 'the selected trace' : `${plural(ids.length, 'selected trace')}`}
          onDeleted={onDeleted}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

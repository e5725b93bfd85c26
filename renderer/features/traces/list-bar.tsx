import { PanelLeft } from 'lucide-react';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { IconButton } from '../../ui/primitives/button.tsx';
import { Icon } from '../../ui/primitives/icon.tsx';
import { useKeys } from '../../ui/primitives/keys.tsx';
import { preference, usePreference } from '../../ui/primitives/preferences.ts';
import { Segmented } from '../../ui/primitives/segmented.tsx';
import { ColumnsMenu } from './columns-menu.tsx';
import { FiltersButton } from './facets.tsx';
import { FilterBar } from './filter-bar.tsx';
import { RangeMenu } from './range-menu.tsx';
import { changedView, type TracesView } from './url.ts';
import type { useColumns } from './use-columns.ts';
import { ViewsMenu } from './views-menu.tsx';

interface ListBarProps {
  /** With the search as it was written. */
  view: TracesView;
  /** With the filter that runs. */
  searched: TracesView;
  isValid: boolean;
  columns: ReturnType<typeof useColumns>;
  onView: (view: TracesView) => void;
}

const shown = [
  { id: 'traces', label: 'Traces', hint: '1' },
  { id: 'spans', label: 'Spans', hint: '2' },
  { id: 'errors', label: 'Error groups', hint: '3' },
] as const;

/** Toolbar of the list. */
export function ListBar({ view, searched, isValid, columns, onView: show }: ListBarProps) {
  useKeys(
    'Traces',
    shown.map(({ id, label, hint }) => ({
      on: [hint],
      label: `Show ${label.toLowerCase()}`,
      run: () => show(changedView(view, { show: id === 'traces' ? undefined : id })),
    })),
  );
  const [areFacetsShown, setFacetsShown] = usePreference(preference.facetsShown);
  return (
    <ScreenHeader title="Traces">
      <Segmented
        label="List"
        options={shown}
        value={view.show ?? 'traces'}
        onChange={(id) => show(changedView(view, { show: id === 'traces' ? undefined : id }))}
      />
      <FilterBar filter={view.filter ?? ''} view={view} onFilter={(filter) => show(changedView(view, { filter }))} />
      <FiltersButton view={searched} isEnabled={isValid} onView={show} />
      <RangeMenu range={view} onRange={(range) => show(changedView(view, { last: undefined, from: undefined, to: undefined, ...range }))} />
      <ViewsMenu
        view={view}
        columns={columns.choice}
        onView={(next, choice) => {
          columns.choose(choice);
          show(next);
        }}
      />
      {view.show === undefined && <ColumnsMenu columns={columns.choice} onColumns={columns.choose} />}
      <IconButton
        label={areFacetsShown ? 'Hide facets' : 'Show facets'}
        aria-pressed={areFacetsShown}
        className="max-facets:hidden"
        onClick={() => setFacetsShown(!areFacetsShown)}
      >
        <Icon of={PanelLeft} />
      </IconButton>
    </ScreenHeader>
  );
}

/** Facets of the list: values of its traces with their counts. A click adds a value to the filter. */
import { ListFilter } from 'lucide-react';
import { useState } from 'react';
import type { SemanticKind } from '../../../shared/contract/tracing/semantic-kinds.ts';
import { type FacetName, facetNames, type TraceFacets } from '../../../shared/contract/tracing/trace-facets.ts';
import { count } from '../../model/text/format.ts';
import { Popup } from '../../ui/overlays/popup.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Icon } from '../../ui/primitives/icon.tsx';
import { KindIcon } from '../../ui/primitives/kind-icon.tsx';
import { SkeletonLine } from '../../ui/primitives/skeleton.tsx';
import { ErrorFacet, withoutErrors } from './error-facet.tsx';
import { FacetValue } from './facet-value.tsx';
import { changedView, type TracesView } from './url.ts';
import { selectedValues, toggledView, useFacets, useSteady } from './use-facets.ts';

const collapsedMax = 6;
const expandedMax = 50;

const heads: Record<FacetName, string> = {
  error: 'Error type',
  tool: 'Tool',
  agent: 'Agent',
  model: 'Model',
  service: 'Service',
  environment: 'Environment',
  user_id: 'User',
  session_id: 'Session',
  status: 'Status',
  tags: 'Tags',
  prompt_name: 'Prompt',
  semantic_kind: 'Kind',
};
const statusLabels: Record<string, string> = { OK: 'Succeeded', UNSET: 'Not reported' };
/** Of the values of a facet. */
const kindOf: Partial<Record<FacetName, SemanticKind>> = { tool: 'tool', agent: 'agent' };

/** Failed traces are counted with the errors. */
const withoutFailed = (facet: TraceFacets['facets'][number]) =>
  facet.name === 'status' ? { ...facet, values: facet.values.filter(({ value }) => value !== 'ERROR') } : facet;

interface FacetsProps {
  view: TracesView;
  isEnabled: boolean;
  onView: (view: TracesView) => void;
}

export const Facets = (props: FacetsProps) => (
  <aside aria-label="Facets" className="w-step shrink-0 overflow-y-auto border-line border-r py-1.5 max-facets:hidden">
    <FacetList {...props} />
  </aside>
);

/** In a window that has no room for them beside the list. */
export function FiltersButton(props: FacetsProps) {
  const { view } = props;
  const isByErrors = withoutErrors(view.filter ?? '') !== (view.filter ?? '');
  const active = facetNames.reduce((sum, name) => sum + selectedValues(view, name).length, isByErrors ? 1 : 0);
  return (
    <Popup
      label="Filters"
      className="w-step py-1.5"
      trigger={
        <Button pressed={active > 0} title="Facets of the list" className="shrink-0 tabular-nums facets:hidden">
          <Icon of={ListFilter} size="small" />
          {active > 0 ? `Filters ${active}` : 'Filters'}
        </Button>
      }
    >
      <FacetList {...props} />
    </Popup>
  );
}

function FacetList({ view, isEnabled, onView }: FacetsProps) {
  const [expanded, setExpanded] = useState<FacetName | null>(null);
  const [isHeld, setHeld] = useState(false);
  const { data, isError } = useFacets(view, facetNames, isEnabled, expanded === null ? collapsedMax : expandedMax);
  const facets = useSteady(data?.facets, isHeld && expanded === null);
  return (
    <div onPointerEnter={() => setHeld(true)} onPointerLeave={() => setHeld(false)}>
      {!data && !isError && <FacetsSkeleton />}
      {isError && !data && <p className="px-pad text-fg-3 text-label">The facets could not be loaded.</p>}
      {data && (
        <ErrorFacet
          counts={data.errors}
          filter={view.filter ?? ''}
          onFilter={(filter) => onView(changedView(view, { filter: filter || undefined }))}
        />
      )}
      {facets
        ?.map(withoutFailed)
        .filter(({ name, values }) => values.length > 0 || selectedValues(view, name).length > 0)
        .map((facet) => (
          <Facet
            key={facet.name}
            facet={facet}
            selected={selectedValues(view, facet.name)}
            isExpanded={expanded === facet.name}
            onExpand={() => setExpanded(expanded === facet.name ? null : facet.name)}
            onValue={(value) => onView(toggledView(view, facet.name, value))}
          />
        ))}
      {data && !data.is_whole && (
        <p className="px-pad pt-1 text-fg-3 text-label">{`Counts cover the newest ${count(data.looked_at)} matching traces.`}</p>
      )}
    </div>
  );
}

interface FacetProps {
  facet: TraceFacets['facets'][number];
  selected: readonly string[];
  isExpanded: boolean;
  onExpand: () => void;
  onValue: (value: string) => void;
}

function Facet({ facet: { name, values, more: hidden }, selected, isExpanded, onExpand, onValue }: FacetProps) {
  const missing = selected.filter((value) => values.every((other) => other.value !== value)).map((value) => ({ value, count: null }));
  const shown = isExpanded ? values : values.slice(0, collapsedMax);
  const rest = hidden + values.length - shown.length;
  return (
    <fieldset className="min-w-0 pb-2">
      <legend className="px-pad py-0.5 text-fg-3 text-label">{heads[name]}</legend>
      {[...missing, ...shown].map(({ value, count: traces }) => (
        <Value key={value} {...{ name, value, traces }} isOn={selected.includes(value)} onClick={() => onValue(value)} />
      ))}
      {(rest > 0 || isExpanded) && (
        <button type="button" onClick={onExpand} className="h-6 px-pad text-fg-3 text-label hover:text-fg">
          {isExpanded ? 'Show fewer' : `Show ${count(rest)} more`}
        </button>
      )}
    </fieldset>
  );
}

function Value(props: { name: FacetName; value: string; traces: number | null; isOn: boolean; onClick: () => void }) {
  const { name, value, traces, isOn, onClick } = props;
  const isPlain = name === 'status' && value === 'UNSET';
  const label = name === 'status' ? (statusLabels[value] ?? value) : value;
  const kind = name === 'semantic_kind' ? (value as SemanticKind) : kindOf[name];
  return (
    <FacetValue
      {...{ label, traces, isOn, onClick }}
      title={isPlain ? 'The sender reported no status. Filters support only OK and ERROR' : label}
      isDisabled={isPlain}
      icon={kind && <KindIcon kind={kind} />}
    />
  );
}

const FacetsSkeleton = () => (
  <div role="status" aria-label="Loading facets" className="after-a-moment grid gap-3 px-pad py-2">
    {[1, 2, 3, 4, 5, 6].map((line) => (
      <SkeletonLine key={line} wide={line % 3 === 1} />
    ))}
  </div>
);

/** Facets of the list: values of its traces with their counts. A click adds a value to the filter. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { SemanticKind } from '../../../shared/contract/tracing/semantic-kinds.ts';
import type { FacetName, TraceFacets } from '../../../shared/contract/tracing/trace-facets.ts';
import { gateway } from '../../api/client.ts';
import { useFollow } from '../../api/queries.ts';
import { requiredValues, toggleValue } from '../../model/filter/filter-text.ts';
import { count } from '../../model/text/format.ts';
import { KindIcon } from '../../ui/primitives/kind-icon.tsx';
import { SkeletonLine } from '../../ui/primitives/skeleton.tsx';
import { ErrorFacet } from './error-facet.tsx';
import { FacetValue } from './facet-value.tsx';
import { changedView, listKeyOf, narrowingOf, type TracesView } from './url.ts';

const always = () => true;
const collapsedMax = 6;
const expandedMax = 50;

const heads: Record<FacetName, string> = {
  status: 'Status',
  model: 'Model',
  semantic_kind: 'Kind',
  user_id: 'User',
  session_id: 'Session',
  tags: 'Tags',
  prompt_name: 'Prompt',
  environment: 'Environment',
};
const statusLabels: Record<string, string> = { OK: 'Succeeded', UNSET: 'Not reported' };

/** Failed traces are counted with the errors; the other statuses say least and come last. */
function shownFacets(facets: TraceFacets['facets']): TraceFacets['facets'] {
  const others = facets.filter(({ name }) => name !== 'status');
  const statuses = facets.filter(({ name }) => name === 'status');
  return [...others, ...statuses.map((facet) => ({ ...facet, values: facet.values.filter(({ value }) => value !== 'ERROR') }))];
}

function useFacets(view: TracesView, isEnabled: boolean, limit: number) {
  const { sort_by: _by, sort_order: _order, ...narrowing } = view;
  const key = listKeyOf(narrowing);
  const queryKey = useMemo(() => ['traces', 'facets', key, limit], [key, limit]);
  useFollow(queryKey, always);
  return useQuery({
    queryKey,
    enabled: isEnabled,
    queryFn: async () => (await gateway.traceList.facets({ query: { ...narrowingOf(narrowing, Date.now()), limit } })).data,
    placeholderData: keepPreviousData,
  });
}

/** Selected values of a facet. The environment is a parameter of its own. */
const selectedValues = (view: TracesView, name: FacetName): string[] =>
  name === 'environment'
    ? view.environment === undefined
      ? []
      : [view.environment]
    : requiredValues(view.filter ?? '', name).filter((value) => name !== 'status' || value !== 'ERROR');

function toggledView(view: TracesView, name: FacetName, value: string): TracesView {
  if (name === 'environment') return changedView(view, { environment: view.environment === value ? undefined : value });
  return changedView(view, { filter: toggleValue(view.filter ?? '', name, value) });
}

interface FacetsProps {
  view: TracesView;
  isEnabled: boolean;
  onView: (view: TracesView) => void;
}

export function Facets({ view, isEnabled, onView }: FacetsProps) {
  const [expanded, setExpanded] = useState<FacetName | null>(null);
  const { data, isError } = useFacets(view, isEnabled, expanded === null ? collapsedMax : expandedMax);
  return (
    <aside aria-label="Facets" className="w-step shrink-0 overflow-y-auto border-line border-r py-1.5 max-facets:hidden">
      {!data && !isError && <FacetsSkeleton />}
      {isError && !data && <p className="px-pad text-fg-3 text-label">The facets could not be loaded.</p>}
      {data && (
        <ErrorFacet
          counts={data.errors}
          filter={view.filter ?? ''}
          onFilter={(filter) => onView(changedView(view, { filter: filter || undefined }))}
        />
      )}
      {data &&
        shownFacets(data.facets)
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
    </aside>
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
  const missing = selected.filter((value) => values.every((other) => other.value !== value)).map((value) => ({ value, count: 0 }));
  const shown = isExpanded ? values : values.slice(0, collapsedMax);
  const rest = hidden + values.length - shown.length;
  return (
    <fieldset className="min-w-0 pb-2">
      <legend className="px-pad py-0.5 text-fg-3 text-label">{heads[name]}</legend>
      {[...missing, ...shown].map(({ value, count: traces }) => (
        <Value key={value} {...{ name, value, traces }} isOn={selected.includes(value)} onClick={() => onValue(value)} />
      ))}
      {(rest > 0 || isExpanded) && (
        <button type="button" onClick={onExpand} className="px-pad text-fg-3 text-label hover:text-fg">
          {isExpanded ? 'Show fewer' : `Show ${count(rest)} more`}
        </button>
      )}
    </fieldset>
  );
}

function Value(props: { name: FacetName; value: string; traces: number; isOn: boolean; onClick: () => void }) {
  const { name, value, traces, isOn, onClick } = props;
  const isPlain = name === 'status' && value === 'UNSET';
  const label = name === 'status' ? (statusLabels[value] ?? value) : value;
  return (
    <FacetValue
      {...{ label, traces, isOn, onClick }}
      title={isPlain ? 'The sender reported no status. Filters support only OK and ERROR' : label}
      isDisabled={isPlain}
      icon={name === 'semantic_kind' && <KindIcon kind={value as SemanticKind} />}
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

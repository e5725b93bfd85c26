/** Facets of the list: values of its traces with their counts; a click adds a condition. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { useMemo, useState } from 'react';
import type { SemanticKind } from '../../../shared/contract/tracing/semantic-kinds.ts';
import type { FacetName, TraceFacets } from '../../../shared/contract/tracing/trace-list.ts';
import { gateway } from '../../api/client.ts';
import { useFollow } from '../../api/queries.ts';
import { requiredValues, toggleValue } from '../../model/filter/filter-text.ts';
import { count, plural } from '../../model/text/format.ts';
import { KindIcon } from '../../ui/primitives/kind-icon.tsx';
import { SkeletonLine } from '../../ui/primitives/skeleton.tsx';
import { changedView, listKeyOf, narrowingOf, type TracesView } from './url.ts';

const always = () => true;
const fewer = 6;
const more = 50;

const heads: Record<FacetName, string> = {
  status: 'Status',
  model: 'Model',
  semantic_kind: 'Kind',
  user_id: 'User',
  session_id: 'Session',
  tags: 'Tag',
  prompt_name: 'Prompt',
  environment: 'Environment',
};
const statusWords: Record<string, string> = { OK: 'succeeded', ERROR: 'failed', UNSET: 'not reported' };

function useFacets(view: TracesView, isAsked: boolean, limit: number) {
  const { sort_by: _by, sort_order: _order, ...narrowing } = view;
  const key = listKeyOf(narrowing);
  const queryKey = useMemo(() => ['traces', 'facets', key, limit], [key, limit]);
  useFollow(queryKey, always);
  return useQuery({
    queryKey,
    enabled: isAsked,
    queryFn: async () => (await gateway.traceList.facets({ query: { ...narrowingOf(narrowing, Date.now()), limit } })).data,
    placeholderData: keepPreviousData,
  });
}

/** Active value of a facet. The environment is no filter field. */
const askedOf = (view: TracesView, name: FacetName): string[] =>
  name === 'environment' ? (view.environment === undefined ? [] : [view.environment]) : requiredValues(view.filter ?? '', name);

function asking(view: TracesView, name: FacetName, value: string): TracesView {
  if (name === 'environment') return changedView(view, { environment: view.environment === value ? undefined : value });
  return changedView(view, { filter: toggleValue(view.filter ?? '', name, value) });
}

interface FacetsProps {
  view: TracesView;
  isAsked: boolean;
  onView: (view: TracesView) => void;
}

export function Facets({ view, isAsked, onView }: FacetsProps) {
  const [wide, setWide] = useState<FacetName | null>(null);
  const { data, isError } = useFacets(view, isAsked, wide === null ? fewer : more);
  return (
    <aside aria-label="Facets" className="w-step shrink-0 overflow-y-auto border-line border-r py-1.5 max-facets:hidden">
      {!data && !isError && <Waiting />}
      {isError && !data && <p className="px-pad text-fg-3 text-label">The values could not be counted.</p>}
      {data?.facets
        .filter(({ name, values }) => values.length > 0 || askedOf(view, name).length > 0)
        .map((facet) => (
          <Facet
            key={facet.name}
            facet={facet}
            asked={askedOf(view, facet.name)}
            isWide={wide === facet.name}
            onWide={() => setWide(wide === facet.name ? null : facet.name)}
            onValue={(value) => onView(asking(view, facet.name, value))}
          />
        ))}
      {data && !data.is_whole && (
        <p className="px-pad pt-1 text-fg-3 text-label">{`Counted over the newest ${count(data.looked_at)} that match.`}</p>
      )}
    </aside>
  );
}

interface FacetProps {
  facet: TraceFacets['facets'][number];
  asked: readonly string[];
  isWide: boolean;
  onWide: () => void;
  onValue: (value: string) => void;
}

function Facet({ facet: { name, values, more: hidden }, asked, isWide, onWide, onValue }: FacetProps) {
  const missing = asked.filter((value) => values.every((each) => each.value !== value)).map((value) => ({ value, count: 0 }));
  const shown = isWide ? values : values.slice(0, fewer);
  const rest = hidden + values.length - shown.length;
  return (
    <fieldset className="min-w-0 pb-2">
      <legend className="px-pad py-0.5 text-fg-3 text-label">{heads[name]}</legend>
      {[...missing, ...shown].map(({ value, count: traces }) => (
        <Value key={value} {...{ name, value, traces }} isOn={asked.includes(value)} onClick={() => onValue(value)} />
      ))}
      {(rest > 0 || isWide) && (
        <button type="button" onClick={onWide} className="px-pad text-fg-3 text-label hover:text-fg">
          {isWide ? 'Fewer' : `${plural(rest, 'other')}…`}
        </button>
      )}
    </fieldset>
  );
}

function Value(props: { name: FacetName; value: string; traces: number; isOn: boolean; onClick: () => void }) {
  const { name, value, traces, isOn, onClick } = props;
  const isPlain = name === 'status' && value === 'UNSET';
  const word = name === 'status' ? (statusWords[value] ?? value) : value;
  return (
    <button
      type="button"
      aria-pressed={isOn}
      disabled={isPlain}
      title={isPlain ? 'Filters know OK and ERROR only' : word}
      onClick={onClick}
      className={clsx(
        'flex h-6 w-full items-center gap-1.5 px-pad text-row enabled:hover:bg-hover',
        isOn ? 'bg-select text-fg shadow-[inset_var(--spacing-edge)_0_var(--color-accent)]' : 'text-fg-2',
      )}
    >
      {name === 'semantic_kind' && <KindIcon kind={value as SemanticKind} />}
      <span className={clsx('min-w-0 flex-1 truncate text-left', name === 'status' && value === 'ERROR' && 'text-err')}>{word}</span>
      <span className="num text-fg-3 text-label">{count(traces)}</span>
    </button>
  );
}

const Waiting = () => (
  <div role="status" aria-label="Counting" className="after-a-moment grid gap-3 px-pad py-2">
    {[1, 2, 3, 4, 5, 6].map((each) => (
      <SkeletonLine key={each} wide={each % 3 === 1} />
    ))}
  </div>
);

import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { FacetName, TraceFacets } from '../../../shared/contract/tracing/trace-facets.ts';
import { gateway } from '../../api/client.ts';
import { useFollow } from '../../api/queries.ts';
import { requiredValues, toggleValue, withoutValues } from '../../model/filter/filter-text.ts';
import { steadyFacets } from '../../model/filter/steady-facets.ts';
import { withoutErrors } from './error-facet.tsx';
import { changedView, listKeyOf, narrowingOf, type TracesView } from './url.ts';

const always = () => true;
const allFacets = ['traces', 'facets'] as const;

/** Selected values of a facet. A link may give the environment as a parameter of its own. */
export function selectedValues(view: TracesView, name: FacetName): string[] {
  const required = requiredValues(view.filter ?? '', name).filter((value) => name !== 'status' || value !== 'ERROR');
  return name === 'environment' && view.environment !== undefined ? [view.environment, ...required] : required;
}

export function toggledView(view: TracesView, name: FacetName, value: string): TracesView {
  if (name === 'environment' && view.environment === value) return changedView(view, { environment: undefined });
  return changedView(view, { filter: toggleValue(view.filter ?? '', name, value) || undefined });
}

/** The view without what a facet selects. */
function viewWithout(view: TracesView, name: FacetName): TracesView {
  const filter = withoutValues(view.filter ?? '', name) || undefined;
  return changedView(view, { filter, ...(name === 'environment' ? { environment: undefined } : {}) });
}

export const facetsQuery = ({ sort_by: _by, sort_order: _order, ...narrowing }: TracesView, limit: number) => ({
  queryKey: [...allFacets, listKeyOf(narrowing), limit],
  queryFn: async () => (await gateway.traceList.facets({ query: { ...narrowingOf(narrowing, Date.now()), limit } })).data,
});

/** Facets of a view; the values of a facet in which some are selected are counted as if none were, so that others can be added. */
export function useFacets(view: TracesView, names: readonly FacetName[], isEnabled: boolean, limit: number) {
  const selecting = names.filter((name) => selectedValues(view, name).length > 0);
  const withoutOwnErrors = withoutErrors(view.filter ?? '');
  const isByErrors = withoutOwnErrors !== (view.filter ?? '');
  const views = [
    view,
    ...selecting.map((name) => viewWithout(view, name)),
    ...(isByErrors ? [changedView(view, { filter: withoutOwnErrors || undefined })] : []),
  ];
  useFollow(allFacets, always);
  const [whole, ...others] = useQueries({
    queries: views.map((each) => ({ ...facetsQuery(each, limit), enabled: isEnabled })),
  });
  const errors = isByErrors ? others.at(-1)?.data?.errors : undefined;
  const [kept, setKept] = useState<TraceFacets>();
  const isLoaded = whole?.data !== undefined && others.every(({ data: other }) => other !== undefined);
  const data = isLoaded && {
    ...whole.data,
    errors: errors ?? whole.data.errors,
    facets: whole.data.facets.map(
      (facet) => others[selecting.indexOf(facet.name)]?.data?.facets.find(({ name }) => name === facet.name) ?? facet,
    ),
  };
  // The facets before stay until the next ones are there.
  if (data && JSON.stringify(data) !== JSON.stringify(kept)) setKept(data);
  return { data: data || kept, isError: whole?.isError ?? false };
}

/** While they are held, values keep their places. */
export function useSteady(facets: TraceFacets['facets'] | undefined, isHeld: boolean): TraceFacets['facets'] | undefined {
  const [shown, setShown] = useState(facets);
  if (isHeld && shown && facets) return steadyFacets(shown, facets);
  if (shown !== facets && JSON.stringify(shown) !== JSON.stringify(facets)) setShown(facets);
  return facets;
}

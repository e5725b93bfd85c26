import type { TraceFacets } from '../../../shared/contract/tracing/trace-facets.ts';

type Facets = TraceFacets['facets'];

/** The latest counts of the facets as they are shown: no value moves, and none comes or goes. */
export function steadyFacets(shown: Facets, latest: Facets): Facets {
  return shown.map((facet) => {
    const found = latest.find(({ name }) => name === facet.name);
    const counts = new Map(found?.values.map(({ value, count }) => [value, count]));
    return { ...facet, values: facet.values.map(({ value }) => ({ value, count: counts.get(value) ?? 0 })) };
  });
}

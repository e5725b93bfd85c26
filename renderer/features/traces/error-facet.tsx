import type { TraceFacets } from '../../../shared/contract/tracing/trace-facets.ts';
import { addClause, clausesOf, problemOf, withoutClause } from '../../model/filter/filter-text.ts';
import { FacetValue } from './facet-value.tsx';

/** Conditions of each kind of failure, as the clauses of a filter. */
const kinds = [
  { id: 'any', label: 'Any error', clauses: ['errors > 0'] },
  { id: 'failed', label: 'Failed', clauses: ['status = ERROR'] },
  { id: 'inside', label: 'Errors inside', clauses: ['errors_inside > 0'] },
] as const;

/** The filter without what this facet selects. */
export const withoutErrors = (filter: string): string => {
  const selected = selectedIn(filter);
  return selected ? without(filter, selected.clauses) : filter;
};

function selectedIn(filter: string) {
  const present = clausesOf(filter);
  return kinds.findLast(({ clauses }) => clauses.every((clause) => present.includes(clause)));
}

const without = (filter: string, clauses: readonly string[]): string =>
  clauses.reduce((text, clause) => withoutClause(text, clausesOf(text).indexOf(clause)), filter);

interface ErrorFacetProps {
  counts: TraceFacets['errors'];
  filter: string;
  onFilter: (filter: string) => void;
}

/** Traces that failed and traces with errors inside, which are two facts. */
export function ErrorFacet({ counts, filter, onFilter }: ErrorFacetProps) {
  const selected = selectedIn(filter);
  const toggle = (id: string, clauses: readonly string[]) => {
    const others = withoutErrors(filter);
    onFilter(selected?.id === id ? others : clauses.reduce(addClause, others));
  };
  if (counts.any === 0 && !selected) return null;
  return (
    <fieldset className="min-w-0 pb-2">
      <legend className="px-pad py-0.5 text-fg-3 text-label">Errors</legend>
      {kinds.map(({ id, label, clauses }) => {
        const isSupported = problemOf(clauses.join(' and ')) === null;
        return (
          <FacetValue
            key={id}
            label={label}
            title={isSupported ? label : `${label}. Filters cannot select these traces`}
            traces={counts[id]}
            isOn={selected?.id === id}
            isErr={counts[id] > 0}
            isDisabled={!isSupported}
            onClick={() => toggle(id, clauses)}
          />
        );
      })}
    </fieldset>
  );
}

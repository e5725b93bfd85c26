import type { FilterProblem } from '../../model/filter/filter-text.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';

interface InvalidFilterProps {
  filter: string;
  problem: FilterProblem;
  onFilter: (filter: string | undefined) => void;
}

/** Shown when the address has an invalid filter: nothing is fetched until it is valid. */
export const InvalidFilter = ({ filter, problem, onFilter }: InvalidFilterProps) => (
  <EmptyState
    title="Invalid filter"
    action={
      <>
        {problem.fix && <Button onClick={() => onFilter(problem.fix?.text)}>{`Use ${problem.fix.field}`}</Button>}
        <Button onClick={() => onFilter(undefined)}>Clear filter</Button>
      </>
    }
  >
    {problem.message}
    <code className="wrap-anywhere mt-2 block font-mono text-row">
      {filter.slice(0, problem.position)}
      <mark className="bg-err-bg text-err">{filter.slice(problem.position) || '…'}</mark>
    </code>
  </EmptyState>
);

import type { FilterProblem } from '../../model/filter/filter-text.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';

interface WrongFilterProps {
  filter: string;
  problem: FilterProblem;
  onClear: () => void;
}

/** Invalid filter in the address: nothing is fetched until it is valid. */
export const WrongFilter = ({ filter, problem, onClear }: WrongFilterProps) => (
  <EmptyState title="This filter cannot be read" action={<Button onClick={onClear}>Clear the filter</Button>}>
    {problem.message}
    <code className="wrap-anywhere mt-2 block font-mono text-row">
      {filter.slice(0, problem.position)}
      <mark className="bg-err-bg text-err">{filter.slice(problem.position) || '…'}</mark>
    </code>
  </EmptyState>
);

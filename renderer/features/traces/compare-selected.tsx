import { useNavigate } from '@tanstack/react-router';
import { groupMax } from '../../../shared/contract/tracing/comparison-terms.ts';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { compareGroupsLabel } from '../../model/trace/group-words.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { useKeys } from '../../ui/primitives/keys.tsx';

/** Compares two selected traces, the earlier one first, or of several those with errors with those without. */
export function CompareSelected({ selected }: { selected: ReadonlyMap<string, ListedTrace> }) {
  const navigate = useNavigate();
  const traces = [...selected.values()].sort((one, other) => Date.parse(one.start) - Date.parse(other.start));
  const [a, b] = traces;
  const bad = traces.filter(({ error_count }) => error_count > 0);
  const good = traces.filter(({ error_count }) => error_count === 0);
  const whyNot = whyNotOf(traces.length, bad.length, good.length);
  const compare = () => {
    if (whyNot !== undefined || !a || !b) return;
    const idsOf = (list: readonly ListedTrace[]) => list.map(({ id }) => id).join();
    const search = traces.length === 2 ? { a: a.id, b: b.id } : { a_ids: idsOf(bad), b_ids: idsOf(good) };
    void navigate({ to: '/compare', search });
  };
  useKeys('Compare', whyNot === undefined ? [{ on: ['c'], label: 'Compare the selected traces', run: compare }] : []);
  return (
    <Button whyNot={whyNot} hint="c" onClick={compare}>
      {traces.length > 2 && whyNot === undefined ? compareGroupsLabel : 'Compare'}
    </Button>
  );
}

function whyNotOf(traces: number, bad: number, good: number): string | undefined {
  if (traces === 2) return undefined;
  if (traces < 2 || bad === 0 || good === 0) return 'Select two traces to compare them, or several with errors and without';
  return Math.max(bad, good) > groupMax ? `At most ${groupMax} traces with errors, and as many without` : undefined;
}

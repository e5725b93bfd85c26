import { useNavigate } from '@tanstack/react-router';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { useKeys } from '../../ui/primitives/keys.tsx';

/** Opens the comparison of two selected traces, the earlier one first: what changed since then is read from left to right. */
export function CompareSelected({ selected }: { selected: ReadonlyMap<string, ListedTrace> }) {
  const navigate = useNavigate();
  const [a, b, ...others] = [...selected.values()].sort((one, other) => Date.parse(one.start) - Date.parse(other.start));
  const isPair = a !== undefined && b !== undefined && others.length === 0;
  const compare = () => isPair && void navigate({ to: '/compare', search: { a: a.id, b: b.id } });
  useKeys('Compare', isPair ? [{ on: ['c'], label: 'Compare the two selected traces', run: compare }] : []);
  return (
    <Button disabled={!isPair} title={isPair ? undefined : 'Select two traces to compare them'} hint="c" onClick={compare}>
      Compare
    </Button>
  );
}

import { KeyFooter } from '../../ui/primitives/key-footer.tsx';
import { SelectionBar } from './selection-bar.tsx';
import type { useSelection } from './use-selection.ts';

const keysOfRows = [
  [['j', 'k'], 'next, previous row'],
  [['Enter'], 'open'],
] as const;
const keysOfList = [
  [['1', '2', '3'], 'traces, spans, error groups'],
  [['/'], 'search'],
] as const;
const keysOfSpans = [...keysOfRows, ...keysOfList];
const keysOfTraces = [...keysOfRows, [['x'], 'select'], ...keysOfList] as const;

interface ListFootProps {
  isOfTraces: boolean;
  selection: ReturnType<typeof useSelection>;
}

/** What can be done with the selected traces; while none is selected, the keys of the list. */
export const ListFoot = ({ isOfTraces, selection: { selected, clear } }: ListFootProps) =>
  isOfTraces && selected.size > 0 ? (
    <SelectionBar selected={selected} onClear={clear} />
  ) : (
    <KeyFooter keys={isOfTraces ? keysOfTraces : keysOfSpans} />
  );

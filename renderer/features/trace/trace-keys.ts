import { useKeys } from '../../ui/keys.tsx';
import type { SpanList } from './use-span-list.ts';

interface TraceKeys {
  search: () => void;
  open: () => void;
  back: () => void;
  /** Told before every step through the index. */
  move: () => void;
}

export function useTraceKeys(list: SpanList, on: TraceKeys) {
  const moving = (step: () => void) => () => {
    on.move();
    step();
  };
  useKeys('Trace', [
    { on: ['j', 'ArrowDown'], label: 'Next span', run: moving(() => list.step(1)) },
    { on: ['k', 'ArrowUp'], label: 'Previous span', run: moving(() => list.step(-1)) },
    { on: ['ArrowRight'], label: 'Unfold, or go inward', run: moving(list.inward) },
    { on: ['ArrowLeft'], label: 'Fold, or go outward', run: moving(list.outward) },
    { on: ['Home'], label: 'First span', run: moving(() => list.edge('first')) },
    { on: ['End'], label: 'Last span', run: moving(() => list.edge('last')) },
    { on: ['e'], label: 'Next error', run: moving(() => list.nextError(1)) },
    { on: ['E'], label: 'Previous error', run: moving(() => list.nextError(-1)) },
    { on: ['/'], label: 'Search in trace', run: on.search },
    { on: ['Enter'], label: 'Read the span', run: on.open },
    { on: ['Escape'], label: 'Back', run: () => (list.isSearching ? list.setWords('') : on.back()) },
  ]);
}

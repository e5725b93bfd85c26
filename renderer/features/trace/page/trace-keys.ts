import { useKeys } from '../../../ui/primitives/keys.tsx';
import type { ViewMode } from '../../../ui/primitives/preferences.ts';
import type { TimeWindow } from '../index/time-window.ts';
import type { SpanList } from '../index/use-span-list.ts';

interface TraceKeys {
  search: () => void;
  open: () => void;
  back: () => void;
  setViewMode: (setViewMode: ViewMode) => void;
  follow: () => void;
  ownWindow: () => void;
  /** Called before every step through the index. */
  move: () => void;
}

const pageRows = 20;

export function useTraceKeys(list: SpanList, window: TimeWindow, on: TraceKeys) {
  const moving = (step: () => void) => () => {
    on.move();
    step();
  };
  const middle = () => (window.range.from + window.range.to) / 2;
  useKeys('Time', [
    { on: ['+', '='], label: 'Closer', run: () => window.zoom(0.5, window.cursor ?? middle()) },
    { on: ['-'], label: 'Wider', run: () => window.zoom(2, window.cursor ?? middle()) },
    { on: ['['], label: 'Earlier', run: () => window.pan(-0.25) },
    { on: [']'], label: 'Later', run: () => window.pan(0.25) },
    { on: ['0'], label: 'The whole time', run: () => window.narrow(null) },
  ]);
  useKeys('Trace', [
    { on: ['j', 'ArrowDown'], label: 'Next span', run: moving(() => list.step(1)) },
    { on: ['k', 'ArrowUp'], label: 'Previous span', run: moving(() => list.step(-1)) },
    { on: ['l', 'ArrowRight'], label: 'Unfold, or go inward', run: moving(list.inward) },
    { on: ['h', 'ArrowLeft'], label: 'Fold, or go outward', run: moving(list.outward) },
    { on: ['PageDown'], label: 'A page on', run: moving(() => list.step(pageRows)) },
    { on: ['PageUp'], label: 'A page back', run: moving(() => list.step(-pageRows)) },
    { on: ['Home'], label: 'First span', run: moving(() => list.edge('first')) },
    { on: ['End'], label: 'Last span', run: moving(() => list.edge('last')) },
    { on: ['e'], label: 'Next error, where it began', run: moving(() => list.nextError(1)) },
    { on: ['E'], label: 'Previous error', run: moving(() => list.nextError(-1)) },
    { on: ['s'], label: 'Slowest by itself, then the next slowest', run: moving(() => list.nextRanked('time', 1)) },
    { on: ['S'], label: 'Back towards the slowest', run: moving(() => list.nextRanked('time', -1)) },
    { on: ['$'], label: 'Most expensive, then the next', run: moving(() => list.nextRanked('cost', 1)) },
    { on: ['n'], label: 'Next match of the search', run: moving(() => list.nextFound(1)) },
    { on: ['p'], label: 'Previous match', run: moving(() => list.nextFound(-1)) },
    { on: ['/'], label: 'Search in trace', run: on.search },
    { on: ['r'], label: 'Read as a transcript', run: () => on.setViewMode('transcript') },
    { on: ['t'], label: 'See the tree', run: () => on.setViewMode('tree') },
    { on: ['w'], label: 'See the timeline', run: () => on.setViewMode('timeline') },
    { on: ['a'], label: 'See the graph of agents and tools', run: () => on.setViewMode('graph') },
    { on: ['z'], label: 'Fold everything', run: () => list.foldAll(true) },
    { on: ['Z'], label: 'Unfold everything', run: () => list.foldAll(false) },
    { on: ['f'], label: 'Follow what arrives', run: on.follow },
    { on: ['o'], label: 'Open in a window of its own', run: on.ownWindow },
    { on: ['Enter'], label: 'Read the span', run: on.open },
    { on: ['Escape'], label: 'Back', run: () => (list.isSearching ? list.setWords('') : on.back()) },
  ]);
}

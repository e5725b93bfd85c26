import { useKeys } from '../../../ui/primitives/keys.tsx';
import type { TimeWindow } from '../index/time-window.ts';
import type { SpanList } from '../index/use-span-list.ts';
import type { ViewMode } from './url.ts';

interface TraceKeys {
  search: () => void;
  open: () => void;
  back: () => void;
  setViewMode: (viewMode: ViewMode) => void;
  follow: () => void;
  newWindow: () => void;
  /** Called before every step through the span index. */
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
    { on: ['+', '='], label: 'Zoom in', run: () => window.zoom(0.5, window.cursor ?? middle()) },
    { on: ['-'], label: 'Zoom out', run: () => window.zoom(2, window.cursor ?? middle()) },
    { on: ['['], label: 'Earlier', run: () => window.pan(-0.25) },
    { on: [']'], label: 'Later', run: () => window.pan(0.25) },
    { on: ['0'], label: 'Reset time range', run: () => window.narrow(null) },
  ]);
  useKeys('Trace', [
    { on: ['j', 'ArrowDown'], label: 'Next span', run: moving(() => list.step(1)) },
    { on: ['k', 'ArrowUp'], label: 'Previous span', run: moving(() => list.step(-1)) },
    { on: ['l', 'ArrowRight'], label: 'Expand, or go to the first child', run: moving(list.expandOrChild) },
    { on: ['h', 'ArrowLeft'], label: 'Collapse, or go to the parent', run: moving(list.collapseOrParent) },
    { on: ['PageDown'], label: 'Page down', run: moving(() => list.step(pageRows)) },
    { on: ['PageUp'], label: 'Page up', run: moving(() => list.step(-pageRows)) },
    { on: ['Home'], label: 'First span', run: moving(() => list.edge('first')) },
    { on: ['End'], label: 'Last span', run: moving(() => list.edge('last')) },
    { on: ['e'], label: 'Next error, at its origin', run: moving(() => list.nextError(1)) },
    { on: ['E'], label: 'Previous error', run: moving(() => list.nextError(-1)) },
    { on: ['s'], label: 'Span with the most self time, then the next', run: moving(() => list.nextRanked('time', 1)) },
    { on: ['S'], label: 'Previous slow span', run: moving(() => list.nextRanked('time', -1)) },
    { on: ['$'], label: 'Span with the highest cost, then the next', run: moving(() => list.nextRanked('cost', 1)) },
    { on: ['n'], label: 'Next search match', run: moving(() => list.nextFound(1)) },
    { on: ['p'], label: 'Previous search match', run: moving(() => list.nextFound(-1)) },
    { on: ['/'], label: 'Search in trace', run: on.search },
    { on: ['r'], label: 'Transcript view', run: () => on.setViewMode('transcript') },
    { on: ['t'], label: 'Tree view', run: () => on.setViewMode('tree') },
    { on: ['w'], label: 'Timeline view', run: () => on.setViewMode('timeline') },
    { on: ['a'], label: 'Graph view', run: () => on.setViewMode('graph') },
    { on: ['x'], label: 'Context view', run: () => on.setViewMode('context') },
    { on: ['z'], label: 'Collapse all', run: () => list.foldAll(true) },
    { on: ['Z'], label: 'Expand all', run: () => list.foldAll(false) },
    { on: ['f'], label: 'Follow new spans', run: on.follow },
    { on: ['o'], label: 'Open in new window', run: on.newWindow },
    { on: ['Enter'], label: 'Open the span', run: on.open },
    { on: ['Escape'], label: 'Back', run: () => (list.isSearching ? list.setWords('') : on.back()) },
  ]);
}

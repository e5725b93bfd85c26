import type { ContextWindow } from '../../../../shared/contract/tracing/context-windows.ts';
import { type CallRange, columnsMax } from '../../../model/trace/context-plot.ts';
import { useKeys } from '../../../ui/primitives/keys.tsx';
import { type Chosen, nextBreak } from './use-chosen.ts';

interface ContextActs {
  openCall: () => void;
  toggleDiff: () => void;
  /** Called before every step through the calls. */
  move: () => void;
}

export function useContextKeys(windows: readonly ContextWindow[], chosen: Chosen, acts: ContextActs) {
  const { window, index, at, by, part, heaviest } = chosen;
  const count = window.calls.length;
  const select = (to: number | undefined) => {
    acts.move();
    if (to !== undefined && to >= 0 && to < count) chosen.selectCall(to);
  };
  const agent = (step: number) => chosen.selectWindow((at + step + windows.length) % windows.length);
  const heavy = () => {
    // The next of the heaviest ones if one of them is chosen.
    const place = heaviest.rows.findIndex((row) => row.part === part);
    const row = heaviest.rows[place + 1] ?? heaviest.rows[0];
    if (row) chosen.selectPart(row.part);
  };
  useKeys('Context', [
    { on: ['j', 'ArrowRight'], label: 'Next call', run: () => select(index + 1) },
    { on: ['k', 'ArrowLeft'], label: 'Previous call', run: () => select(index - 1) },
    { on: ['Home'], label: 'First call', run: () => select(0) },
    { on: ['End'], label: 'Last call', run: () => select(count - 1) },
    { on: ['b'], label: 'Next cache break', run: () => select(nextBreak(window, index)) },
    { on: ['h'], label: 'Heaviest part, then the next', run: heavy },
    ...(windows.length > 1
      ? [
          { on: ['['], label: 'Previous agent', run: () => agent(-1) },
          { on: [']'], label: 'Next agent', run: () => agent(1) },
        ]
      : []),
    { on: ['v'], label: by === 'cost' ? 'Show tokens' : 'Show cost', run: () => chosen.setBy(by === 'cost' ? 'tokens' : 'cost') },
    { on: ['l'], label: 'Words or lines', run: acts.toggleDiff },
    { on: ['Enter'], label: 'Open the call', run: acts.openCall },
  ]);
  useKeys(
    'Range of calls',
    count > columnsMax
      ? [
          { on: ['+', '='], label: 'Fewer calls', run: () => chosen.setRange(zoomed(chosen, 0.5)) },
          { on: ['-'], label: 'More calls', run: () => chosen.setRange(zoomed(chosen, 2)) },
          { on: ['0'], label: 'All calls', run: () => chosen.setRange(null) },
        ]
      : [],
  );
}

const fewest = 8;

/** The range around the chosen call, made narrower or wider. */
export function zoomed({ range: { from, to }, index, window }: Pick<Chosen, 'range' | 'index' | 'window'>, factor: number): CallRange {
  const last = window.calls.length - 1;
  const size = Math.min(last, Math.max(fewest, Math.round((to - from) * factor)));
  const start = Math.min(last - size, Math.max(0, index - Math.round(size / 2)));
  return { from: start, to: start + size };
}

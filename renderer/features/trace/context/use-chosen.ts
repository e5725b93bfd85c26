import { useMemo } from 'react';
import type { ContextCall, ContextWindow } from '../../../../shared/contract/tracing/context-windows.ts';
import { breaksOf } from '../../../model/trace/context-breaks.ts';
import { type Bands, bandsOf, type Heaviest, heaviestParts } from '../../../model/trace/context-parts.ts';
import { type CallRange, rangeWith } from '../../../model/trace/context-plot.ts';
import { worstBreak } from '../../../model/trace/context-verdicts.ts';
import type { TraceView } from '../page/url.ts';
import { callWithin, chosenCall } from './chosen-call.ts';
import type { LimitedWindow } from './window-limit.tsx';

/** What is chosen in the context view, and what is computed from the chosen window. */
export interface Chosen {
  window: LimitedWindow;
  /** Index of the window. */
  at: number;
  call: ContextCall;
  index: number;
  part: number | null;
  range: CallRange;
  by: 'tokens' | 'cost';
  bands: Bands;
  heaviest: Heaviest;
  selectWindow: (at: number) => void;
  selectCall: (index: number) => void;
  selectPart: (part: number | null, call?: number) => void;
  setRange: (range: CallRange | null) => void;
  setBy: (by: 'tokens' | 'cost') => void;
}

/** The window of an agent is named by the span of its first call. */
const idOf = ({ calls }: ContextWindow): string | undefined => calls[0]?.span_id;

/** Without a choice, the window that cost most. */
function chosenWindow(windows: readonly ContextWindow[], id: string | undefined): number {
  const at = id === undefined ? -1 : windows.findIndex((window) => idOf(window) === id);
  if (at >= 0) return at;
  const weight = (window: ContextWindow) => window.cost * 1e9 + window.calls.length;
  return windows.reduce((best, window, index) => (weight(window) > weight(windows[best] as ContextWindow) ? index : best), 0);
}

/**
 * Without a choice: the last call while it runs, otherwise the worst break, otherwise the last call.
 *
 * @param windows each with at least one call
 */
export function useChosen(windows: readonly LimitedWindow[], view: TraceView, onView: (change: Partial<TraceView>) => void): Chosen {
  const at = chosenWindow(windows, view.agent);
  const window = windows[at] as LimitedWindow;
  const count = window.calls.length;
  const isRunning = window.calls.at(-1)?.is_running === true;
  const usual = (isRunning ? undefined : worstBreak(window)) ?? count - 1;
  const {
    index,
    range: { from, to },
  } = chosenCall(view, count, usual);
  const range = useMemo(() => ({ from, to }), [from, to]);
  const part = view.part !== undefined && view.part < window.parts.length ? view.part : null;
  const bands = useMemo(
    () => bandsOf(window, new Set(windows.filter((other) => other !== window).map(({ agent }) => agent))),
    [windows, window],
  );
  const heaviest = useMemo(() => heaviestParts(window), [window]);
  const textOf = (of: CallRange) => (of.from === 0 && of.to === count - 1 ? undefined : `${of.from + 1}-${of.to + 1}`);
  const callIn = (at: number) => ({ agent: idOf(window), call: at + 1, calls: textOf(rangeWith(range, at)) });
  const rangeTo = (shown: CallRange) => {
    const nearest = callWithin(shown, index);
    return { calls: textOf(shown), ...(nearest === index ? {} : { agent: idOf(window), call: nearest + 1 }) };
  };
  return {
    ...{ window, at, index, part, range, bands, heaviest },
    call: window.calls[index] as ContextCall,
    by: view.by ?? 'tokens',
    selectWindow: (to) => onView({ agent: idOf(windows[to] as ContextWindow), call: undefined, part: undefined, calls: undefined }),
    selectCall: (to) => onView(callIn(to)),
    selectPart: (chosen, call = index) => onView({ ...callIn(call), part: chosen ?? undefined }),
    setRange: (shown) => onView(shown === null ? { calls: undefined } : rangeTo(shown)),
    setBy: (by) => onView({ by: by === 'cost' ? by : undefined }),
  };
}

/** The next break after a call, then the first again. */
export function nextBreak(window: ContextWindow, index: number): number | undefined {
  const breaks = breaksOf(window);
  return breaks.find((each) => each > index) ?? breaks[0];
}

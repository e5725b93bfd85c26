import { useEffect, useMemo, useRef } from 'react';
import type { SpanTree } from '../../../model/trace/span-tree.ts';
import { type Range, TimeWindow } from './time-window.ts';

const restMs = 250;
const short = (moment: number) => String(Number(moment.toFixed(3)));
const formatRange = (range: Range | null) => (range ? `${short(range.from)}-${short(range.to)}` : undefined);

function parseRange(at: string | undefined): Range | null {
  const [from, to] = (at ?? '').split('-').map(Number);
  return from === undefined || to === undefined || !(to > from) ? null : { from, to };
}

/** Time window of a trace, written to the address when it stops changing. `at` is the start and end in milliseconds. */
export function useTimeWindow(tree: SpanTree, at: string | undefined, onAt: (at: string | undefined) => void): TimeWindow {
  // biome-ignore lint/correctness/useExhaustiveDependencies: created once; the effects below follow the address
  const window = useMemo(() => {
    const created = new TimeWindow();
    created.setWhole(0, tree.horizon);
    created.narrow(parseRange(at));
    return created;
  }, []);
  useEffect(() => window.setWhole(0, tree.horizon), [window, tree]);
  const lastAt = useRef(at);
  const latestOnAt = useRef(onAt);
  useEffect(() => {
    latestOnAt.current = onAt;
  });
  useEffect(() => {
    if (at === lastAt.current) return;
    lastAt.current = at;
    window.narrow(parseRange(at));
  }, [window, at]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = window.narrowed();
    const stop = window.watch(() => {
      if (window.narrowed() === last) return;
      last = window.narrowed();
      clearTimeout(timer);
      timer = setTimeout(() => {
        const now = formatRange(last);
        if (now === lastAt.current) return;
        lastAt.current = now;
        latestOnAt.current(now);
      }, restMs);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [window]);
  return window;
}

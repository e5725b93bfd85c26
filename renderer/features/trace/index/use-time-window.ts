import { useEffect, useMemo, useRef } from 'react';
import type { SpanTree } from '../../../model/trace/span-tree.ts';
import { type Range, TimeWindow } from './time-window.ts';

const restMs = 250;
const short = (moment: number) => String(Number(moment.toFixed(3)));
const written = (range: Range | null) => (range ? `${short(range.from)}-${short(range.to)}` : undefined);

function read(at: string | undefined): Range | null {
  const [from, to] = (at ?? '').split('-').map(Number);
  return from === undefined || to === undefined || !(to > from) ? null : { from, to };
}

/** The time window of a trace, kept in the address once it rests: `at` is two moments in milliseconds. */
export function useTimeWindow(tree: SpanTree, at: string | undefined, onAt: (at: string | undefined) => void): TimeWindow {
  // biome-ignore lint/correctness/useExhaustiveDependencies: made once; the address is followed below
  const window = useMemo(() => {
    const made = new TimeWindow();
    made.setWhole(0, tree.horizon);
    made.narrow(read(at));
    return made;
  }, []);
  useEffect(() => window.setWhole(0, tree.horizon), [window, tree]);
  const told = useRef(at);
  const tell = useRef(onAt);
  useEffect(() => {
    tell.current = onAt;
  });
  useEffect(() => {
    if (at === told.current) return;
    told.current = at;
    window.narrow(read(at));
  }, [window, at]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = window.narrowed();
    const stop = window.watch(() => {
      if (window.narrowed() === last) return;
      last = window.narrowed();
      clearTimeout(timer);
      timer = setTimeout(() => {
        const now = written(last);
        if (now === told.current) return;
        told.current = now;
        tell.current(now);
      }, restMs);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [window]);
  return window;
}

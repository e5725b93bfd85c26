import clsx from 'clsx';
import { type PointerEvent, type RefObject, useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { duration } from '../../../model/text/format.ts';
import { ticks } from '../../../model/time/ticks.ts';
import { milliseconds } from '../../../model/time/time.ts';
import { type TimeWindow, useDrawn } from './time-window.ts';
import { timelineColumns } from './timeline-row.tsx';

/** Pixels for each tick. */
const tickEvery = 96;

interface AxisProps {
  window: TimeWindow;
  width: number;
  /** Receives the element, to measure the width for bars. */
  barsRef: (element: HTMLElement | null) => void;
}

/** Time axis above the bars. Dragging narrows the time range. */
export function TimeAxis({ window, width, barsRef }: AxisProps) {
  const range = useSyncExternalStore(window.watch, () => window.range);
  const { from, to } = range;
  const dragStart = useRef<number | null>(null);
  const moment = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    return from + ((event.clientX - box.left) / box.width) * (to - from);
  };
  return (
    <div className={clsx('grid h-control shrink-0 border-line border-b pr-pad', timelineColumns)}>
      <span className="flex items-center truncate pl-pad text-fg-3 text-label tabular-nums" title="Selected time range">
        {window.narrowed() ? `${duration(milliseconds(to - from))} of ${duration(milliseconds(window.whole.to - window.whole.from))}` : ''}
      </span>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys + - [ ] 0 of the page do the same */}
      <div
        ref={barsRef}
        className="relative cursor-crosshair touch-none select-none overflow-hidden"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          dragStart.current = moment(event);
        }}
        onPointerMove={(event) => window.point(moment(event))}
        onPointerUp={(event) => {
          const start = dragStart.current;
          dragStart.current = null;
          if (start !== null && Math.abs(moment(event) - start) > ((to - from) / width) * 4)
            window.narrow({ from: start, to: moment(event) });
        }}
        onPointerLeave={() => window.point(null)}
        onDoubleClick={() => window.narrow(null)}
      >
        {labelled(from, to, width).map(({ at, label }) => (
          <span
            key={at}
            className="absolute inset-y-0 flex items-center whitespace-nowrap border-line border-l pl-1 text-fg-3 text-key tabular-nums"
            style={{ left: `${((at - from) / (to - from)) * 100}%` }}
          >
            {label}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Grid lines behind all bars. They do not scroll with the rows. */
export function TimeGrid({ window, width }: Pick<AxisProps, 'window' | 'width'>) {
  const lines = useRef<SVGPathElement>(null);
  const draw = useCallback(() => {
    const { from, to } = window.range;
    const places = ticks(from, to, Math.max(1, width / tickEvery)).map(({ at }) => Math.round(((at - from) / (to - from)) * width));
    lines.current?.setAttribute('d', places.map((left) => `M${left} 0h1v${gridHeight}h-1z`).join(''));
  }, [window, width]);
  useDrawn(window, never, draw);
  return (
    <div className={clsx('pointer-events-none absolute inset-0 grid pr-pad', timelineColumns)}>
      <svg aria-hidden="true" className="col-start-2 size-full">
        <path ref={lines} className="fill-line" shapeRendering="crispEdges" />
      </svg>
    </div>
  );
}

/** Larger than any browser window. */
const gridHeight = 10_000;
const never = () => () => {};

const labelPx = 44;

/** Ticks, without the labels that would be cut off at the end. */
const labelled = (from: number, to: number, width: number) =>
  ticks(from, to, Math.max(1, width / tickEvery)).map((tick) =>
    ((to - tick.at) / (to - from)) * width < labelPx ? { ...tick, label: '' } : tick,
  );

/** Line at the time under the pointer, over all bars. It is moved without React. */
export function Crosshair({ window, isWhole, className }: { window: TimeWindow; isWhole?: boolean; className: string }) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const draw = () => {
      const { cursor } = window;
      const range = isWhole ? window.whole : window.range;
      const share = cursor === null ? -1 : (cursor - range.from) / (range.to - range.from);
      if (!line.current) return;
      line.current.style.visibility = share >= 0 && share <= 1 ? 'visible' : 'hidden';
      line.current.style.left = `${share * 100}%`;
    };
    draw();
    return window.watch(draw);
  }, [window, isWhole]);
  return (
    <div aria-hidden="true" className={clsx('pointer-events-none overflow-hidden', className)}>
      <div ref={line} className="absolute inset-y-0 w-hair bg-accent opacity-70" />
    </div>
  );
}

const wheelStep = 0.0015;

/** The wheel zooms around the pointer with Ctrl and pans with Shift; without them it scrolls the rows. */
export function useTimeWheel(rows: RefObject<HTMLElement | null>, window: TimeWindow, barsLeft: () => number, width: number): void {
  useEffect(() => {
    const element = rows.current;
    if (!element || width <= 0) return;
    const onWheel = (event: WheelEvent) => {
      const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
      if (event.ctrlKey || event.metaKey) {
        const share = Math.min(1, Math.max(0, (event.clientX - barsLeft()) / width));
        const { from, to } = window.range;
        window.zoom(Math.exp(event.deltaY * wheelStep * 3), from + share * (to - from));
      } else if (window.narrowed() && Math.abs(sideways) > 0) window.pan(sideways / width);
      else return;
      event.preventDefault();
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [rows, window, barsLeft, width]);
}

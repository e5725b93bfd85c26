import { type CSSProperties, type PointerEvent, useEffect, useMemo, useRef } from 'react';
import { duration, plural } from '../../../model/text/format.ts';
import { ticks } from '../../../model/time/ticks.ts';
import { milliseconds } from '../../../model/time/time.ts';
import { spanAt } from '../../../model/trace/span-rows.ts';
import { paintOn, useWidth } from '../../../ui/charts/canvas.tsx';
import { useColours } from '../../../ui/primitives/token-colours.ts';
import type { LoadedTrace } from '../page/trace-query.ts';
import { laneCount, lanesHeight, paintStrip } from './strip-paint.ts';
import { Crosshair } from './time-axis.tsx';
import { type Range, type TimeWindow, useNarrowed } from './time-window.ts';

const labelEvery = 160;
/** A shorter movement of the pointer is a click. */
const dragPx = 4;

interface StripProps {
  loaded: LoadedTrace;
  window: TimeWindow;
  selected: number;
  onSelect: (at: number) => void;
}

/** Overview of the whole trace with its errors, the visible rows, and the selected time range. */
export function OverviewStrip({ loaded: { tree }, window, selected, onSelect }: StripProps) {
  const [lanesRef, width] = useWidth<HTMLDivElement>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useColours();
  const lanes = useMemo(() => laneCount(tree), [tree]);
  const height = lanesHeight(lanes);
  useEffect(() => {
    paintOn(canvas.current, width, height, (context) => paintStrip(context, tree, colours, width, lanes));
  }, [tree, colours, width, height, lanes]);
  const brush = useBrush(window, tree.horizon, (moment) => {
    const at = spanAt(tree, moment);
    if (at !== undefined) onSelect(at);
  });
  const share = (moment: number) => `${(moment / Math.max(tree.horizon, 1e-6)) * 100}%`;
  const band = ({ from, to }: Range) => ({ left: share(from), width: share(to - from) });
  const selectedRange = tree.size > 0 ? { from: tree.start[selected] as number, to: tree.end[selected] as number } : null;
  return (
    <section aria-label="Overview" className="shrink-0 border-line border-b bg-panel px-pad pt-2 pb-1">
      <div ref={lanesRef} className="relative cursor-crosshair touch-none select-none" {...brush}>
        <canvas
          ref={canvas}
          role="img"
          aria-label={`${plural(tree.size, 'span')} over ${duration(milliseconds(tree.horizon))}, ${plural(tree.failedAt.length, 'error')}`}
          className="block w-full"
          style={{ height }}
        />
        <Bands window={window} />
        {selectedRange && <span className="absolute -bottom-0.5 h-edge min-w-0.5 rounded-full bg-accent" style={band(selectedRange)} />}
        <NarrowedBand window={window} band={band} />
        <Crosshair window={window} isWhole className="absolute inset-0" />
      </div>
      <div className="relative h-4 text-fg-3 text-key tabular-nums">
        {ticks(0, tree.horizon, Math.max(1, width / labelEvery)).map(({ at, label }) => (
          <span
            key={at}
            className="absolute top-0.5 whitespace-nowrap"
            style={at > tree.horizon * 0.97 ? { right: 0 } : { left: share(at) }}
          >
            {label}
          </span>
        ))}
      </div>
    </section>
  );
}

/** The selected time range. Only it is rendered again for every step of the wheel. */
function NarrowedBand({ window, band }: { window: TimeWindow; band: (range: Range) => CSSProperties }) {
  const narrowed = useNarrowed(window);
  return (
    narrowed && (
      <span className="pointer-events-none absolute -inset-y-1 rounded-key border border-accent bg-select" style={band(narrowed)} />
    )
  );
}

/** Bands for the visible rows and the hovered row. They are moved without React. */
function Bands({ window }: { window: TimeWindow }) {
  const visible = useRef<HTMLSpanElement>(null);
  const hovered = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const place = (element: HTMLElement | null, range: Range | null) => {
      if (!element) return;
      const { from, to } = window.whole;
      element.style.visibility = range ? 'visible' : 'hidden';
      if (!range) return;
      element.style.left = `${((range.from - from) / (to - from)) * 100}%`;
      element.style.width = `${((range.to - range.from) / (to - from)) * 100}%`;
    };
    const draw = () => {
      place(visible.current, window.visible);
      place(hovered.current, window.hovered);
    };
    draw();
    return window.watch(draw);
  }, [window]);
  return (
    <>
      <span ref={visible} aria-hidden="true" className="pointer-events-none absolute -bottom-0.5 h-edge min-w-1 rounded-full bg-line-2" />
      <span
        ref={hovered}
        aria-hidden="true"
        className="pointer-events-none absolute -inset-y-0.5 min-w-0.5 bg-hover outline outline-line-2"
      />
    </>
  );
}

/** Dragging narrows the time range, a click selects the span at that time, a double click resets the range. */
function useBrush(window: TimeWindow, horizon: number, onClick: (moment: number) => void) {
  const pressed = useRef<{ moment: number; x: number } | null>(null);
  const moment = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * horizon;
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      pressed.current = { moment: moment(event), x: event.clientX };
    },
    onPointerMove: (event: PointerEvent) => {
      const now = moment(event);
      window.point(now);
      const from = pressed.current;
      if (from && Math.abs(event.clientX - from.x) >= dragPx) window.narrow({ from: from.moment, to: now });
    },
    onPointerUp: (event: PointerEvent) => {
      const from = pressed.current;
      pressed.current = null;
      if (from && Math.abs(event.clientX - from.x) < dragPx) onClick(from.moment);
    },
    onPointerLeave: () => window.point(null),
    onDoubleClick: () => window.narrow(null),
  };
}

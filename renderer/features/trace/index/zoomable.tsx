// biome-ignore-all lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { type PointerEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { percent } from '../../../model/text/format.ts';
import { IconButton } from '../../../ui/primitives/button.tsx';
import { Icon } from '../../../ui/primitives/icon.tsx';

const scaleMin = 0.2;
const scaleMax = 2;
const step = 1.25;
const wheelStep = 0.005;
/** A press that moves less far is a click. In pixels. */
const dragMin = 4;

interface ZoomableProps {
  label: string;
  /** Of the content, in pixels at full size. */
  size: { width: number; height: number };
  children: ReactNode;
}

interface Anchor {
  /** Point of the content, at full size. */
  x: number;
  y: number;
  /** Where in the pane it stays. */
  left: number;
  top: number;
}

/** A drawing that at first fits into its pane; it is moved by dragging and scrolling, and zoomed with Ctrl and the wheel or with buttons. */
export function Zoomable({ label, size, children }: ZoomableProps) {
  const pane = useRef<HTMLElement>(null);
  const { scale, fit, zoom } = useScale(pane, size);
  return (
    <div className="relative flex min-h-0 flex-1">
      <section
        ref={pane}
        aria-label={label}
        tabIndex={0}
        className="min-h-0 min-w-0 flex-1 cursor-grab overflow-auto outline-none active:cursor-grabbing"
        {...useDrag(pane)}
      >
        <div style={{ width: size.width * scale, height: size.height * scale }} className="overflow-hidden">
          <div className="origin-top-left" style={{ transform: `scale(${scale})`, width: size.width, height: size.height }}>
            {children}
          </div>
        </div>
      </section>
      <div className="absolute right-3 bottom-3 flex items-center rounded-control border border-line-2 bg-panel">
        <IconButton label="Zoom out" onClick={() => zoom(1 / step)}>
          <Icon of={ZoomOut} />
        </IconButton>
        <span className="min-w-10 text-center text-fg-3 text-label tabular-nums">{percent(scale)}</span>
        <IconButton label="Zoom in" onClick={() => zoom(step)}>
          <Icon of={ZoomIn} />
        </IconButton>
        <IconButton label="Fit into the pane" onClick={fit}>
          <Icon of={Maximize} />
        </IconButton>
      </div>
    </div>
  );
}

const within = (scale: number) => Math.min(scaleMax, Math.max(scaleMin, scale));

/** Fits until the reader zooms. The point under the pointer, or the centre of the pane, stays in place. */
function useScale(pane: { current: HTMLElement | null }, { width, height }: ZoomableProps['size']) {
  const [chosen, setChosen] = useState<number | null>(null);
  const [fitting, setFitting] = useState(1);
  const anchor = useRef<Anchor | null>(null);
  useLayoutEffect(() => {
    const element = pane.current;
    if (!element) return;
    const measure = () => setFitting(within(Math.min(1, element.clientWidth / width, element.clientHeight / height)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [pane, width, height]);
  const scale = chosen ?? fitting;
  const zoom = (by: number, left?: number, top?: number) => {
    const element = pane.current;
    if (!element) return;
    const at = { left: left ?? element.clientWidth / 2, top: top ?? element.clientHeight / 2 };
    anchor.current = { ...at, x: (element.scrollLeft + at.left) / scale, y: (element.scrollTop + at.top) / scale };
    setChosen(within(scale * by));
  };
  useLayoutEffect(() => {
    const [element, point] = [pane.current, anchor.current];
    anchor.current = null;
    if (element && point) element.scrollTo(point.x * scale - point.left, point.y * scale - point.top);
  }, [pane, scale]);
  const latest = useRef(zoom);
  useEffect(() => {
    latest.current = zoom;
  });
  useEffect(() => {
    const element = pane.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = element.getBoundingClientRect();
      latest.current(Math.exp(-event.deltaY * wheelStep), event.clientX - box.left, event.clientY - box.top);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [pane]);
  return { scale, fit: () => setChosen(null), zoom };
}

/** Moves the content with the pointer. A press that does not move stays a click on what is under it. */
function useDrag(pane: { current: HTMLElement | null }) {
  const from = useRef<{ x: number; y: number; left: number; top: number; isMoving: boolean } | null>(null);
  return {
    onPointerDown: ({ clientX: x, clientY: y, button, pointerType }: PointerEvent) => {
      const element = pane.current;
      if (element && button === 0 && pointerType === 'mouse')
        from.current = { x, y, left: element.scrollLeft, top: element.scrollTop, isMoving: false };
    },
    onPointerMove: ({ clientX, clientY, buttons, pointerId }: PointerEvent) => {
      const [element, start] = [pane.current, from.current];
      if (!element || !start) return;
      if ((buttons & 1) === 0) {
        from.current = null;
        return;
      }
      const [dx, dy] = [clientX - start.x, clientY - start.y];
      if (!start.isMoving && Math.hypot(dx, dy) < dragMin) return;
      // Captures the pointer, so that no box under it is clicked when it is released.
      if (!start.isMoving) element.setPointerCapture(pointerId);
      start.isMoving = true;
      element.scrollTo(start.left - dx, start.top - dy);
    },
    onPointerUp: () => {
      from.current = null;
    },
  };
}

import { type PointerEvent, type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { indexOfRow } from '../../../model/trace/span-rows.ts';
import type { SpanTree } from '../../../model/trace/span-tree.ts';
import { isHot } from '../../../model/trace/trace-facts.ts';
import { useWidth } from '../../../ui/charts/canvas.tsx';
import { useInSight, useVirtualRows } from '../../../ui/lists/virtual-rows.ts';
import { tokenPx } from '../../../ui/primitives/token-size.ts';
import { type SpanTexts, useVisibleTexts } from '../detail/span-texts.ts';
import type { LoadedTrace } from '../page/trace-query.ts';
import type { BarStyle } from './bar-shapes.ts';
import { SpanRow, type SpanRowProps } from './span-row.tsx';
import { Crosshair, TimeAxis, TimeGrid, useTimeWheel } from './time-axis.tsx';
import { type TimeWindow, useNarrowed } from './time-window.ts';
import { TimelineLegend } from './timeline-legend.tsx';
import { TimelineRow, timelineColumns } from './timeline-row.tsx';
import type { SpanList } from './use-span-list.ts';

export interface SpanRowsProps {
  loaded: LoadedTrace;
  list: SpanList;
  texts: SpanTexts;
  window: TimeWindow;
  treeRef: RefObject<HTMLDivElement | null>;
  onOpen: () => void;
  /** Shows bars on a time axis instead of figures. */
  hasBars: boolean;
}

type Virtual = ReturnType<typeof useVirtualRows>;

export function SpanRows({ loaded, list, texts, window, treeRef, onOpen, hasBars }: SpanRowsProps) {
  const { tree, facts } = loaded;
  const { rows } = list;
  const virtual = useVirtualRows(rows.length, treeRef);
  const items = virtual.getVirtualItems();
  const selectedId = tree.size > 0 ? tree.idAt(list.selected) : null;
  useInSight(virtual, selectedId, list.at);
  useVisibleTexts(texts, tree, rows, items[0]?.index ?? 0, items.at(-1)?.index ?? -1);
  useStableScroll(virtual, treeRef, tree, rows);
  useVisibleRange(window, tree, rows, virtual);
  const { timeline, barsRef, onPointerMove } = useTimeline(loaded, window, treeRef, hasBars);
  // Rows with bars are not dimmed: their bars show what lies outside.
  const narrowed = useNarrowed(window, !hasBars);
  const on = useRowActions(list, tree, window, onOpen);
  const isDim = (at: number) =>
    (list.isSearching && indexOfRow(list.found.places, at) < 0) ||
    (narrowed !== null && ((tree.end[at] as number) < narrowed.from || (tree.start[at] as number) > narrowed.to));
  return (
    <>
      {hasBars && <TimeAxis window={window} width={timeline.width} barsRef={barsRef} />}
      <div className="relative flex min-h-0 flex-1 flex-col">
        {hasBars && <TimeGrid window={window} width={timeline.width} />}
        <div
          ref={treeRef}
          role="tree"
          aria-label="Spans of the trace"
          aria-activedescendant={selectedId === null ? undefined : `span-${selectedId}`}
          tabIndex={0}
          onPointerMove={hasBars ? onPointerMove : undefined}
          onPointerLeave={() => window.point(null)}
          className="@container min-h-0 flex-1 overflow-y-auto overflow-x-hidden focus-visible:outline-none"
        >
          <div className="relative" style={{ height: virtual.getTotalSize() }}>
            {items.map(({ index, start }) => {
              const at = rows[index];
              if (at === undefined) return null;
              const row: SpanRowProps = {
                tree,
                at,
                texts,
                start,
                isFolded: list.isFolded(at),
                times: list.timesOf(at),
                isInternal: list.isInternal(at),
                isOn: at === list.selected,
                isDim: isDim(at),
                isHot: isHot(tree.self[at] as number, facts, tree),
                words: list.words,
                ...on,
              };
              return hasBars ? (
                <TimelineRow key={tree.idAt(at)} {...row} window={window} style={timeline} />
              ) : (
                <SpanRow key={tree.idAt(at)} {...row} />
              );
            })}
          </div>
        </div>
        {hasBars && (
          <div aria-hidden="true" className={`pointer-events-none absolute inset-0 grid pr-pad ${timelineColumns}`}>
            <span />
            <Crosshair window={window} className="relative" />
          </div>
        )}
      </div>
      {hasBars && <TimelineLegend />}
    </>
  );
}

/** Geometry of the bars: available width and time under the pointer. */
function useTimeline(loaded: LoadedTrace, window: TimeWindow, rows: RefObject<HTMLDivElement | null>, hasBars: boolean) {
  const [barsRef, width] = useWidth();
  const timeline = useMemo<BarStyle>(() => ({ loaded, width, height: tokenPx('--spacing-row') }), [loaded, width]);
  const barsLeft = useBarsLeft(rows, width);
  useTimeWheel(rows, window, barsLeft, hasBars ? width : 0);
  const onPointerMove = (event: PointerEvent) => {
    const { from, to } = window.range;
    const share = (event.clientX - barsLeft()) / width;
    window.point(share >= 0 && share <= 1 ? from + share * (to - from) : null);
  };
  return { timeline, barsRef, onPointerMove };
}

/**
 * Left edge of the bars in the window. It is measured again only when the rows change their size or the window does: measuring it for each
 * step of the wheel would lay the page out twice in a frame.
 */
function useBarsLeft(rows: RefObject<HTMLDivElement | null>, width: number): () => number {
  const right = useRef<number | null>(null);
  useEffect(() => {
    const forget = () => {
      right.current = null;
    };
    const observer = new ResizeObserver(forget);
    if (rows.current) observer.observe(rows.current);
    globalThis.addEventListener('resize', forget);
    return () => {
      observer.disconnect();
      globalThis.removeEventListener('resize', forget);
    };
  }, [rows]);
  return useCallback(() => {
    const { current } = rows;
    if (!current) return 0;
    right.current ??= current.getBoundingClientRect().left + current.clientWidth - tokenPx('--spacing-pad');
    return right.current - width;
  }, [rows, width]);
}

/** Returns the same functions on every render, so that unchanged rows are not rendered again. */
function useRowActions(list: SpanList, tree: SpanTree, window: TimeWindow, onOpen: () => void) {
  const latest = useRef({ list, tree, onOpen });
  useLayoutEffect(() => {
    latest.current = { list, tree, onOpen };
  });
  return useMemo(
    () => ({
      onFold: (at: number, isFolded: boolean) => latest.current.list.fold(at, isFolded),
      onSelect: (at: number) => {
        latest.current.list.reveal(at);
        latest.current.onOpen();
      },
      onHover: (at: number | null) => {
        const { start, end } = latest.current.tree;
        window.hover(at === null ? null : { from: start[at] as number, to: end[at] as number });
      },
    }),
    [window],
  );
}

/** Keeps the top row in place when rows are inserted above it. */
function useStableScroll(virtual: Virtual, scroller: RefObject<HTMLDivElement | null>, tree: SpanTree, rows: Int32Array): void {
  const top = useRef<{ tree: SpanTree; id: string; offset: number } | null>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    const before = top.current;
    const height = tokenPx('--spacing-row');
    if (element && before && before.tree !== tree) {
      const at = tree.placeOf(before.id);
      const index = at === undefined ? -1 : indexOfRow(rows, at);
      if (index >= 0 && element.scrollTop > 0) element.scrollTop = index * height + before.offset;
    }
  }, [tree, rows, scroller]);
  useLayoutEffect(() => {
    const offset = virtual.scrollOffset ?? 0;
    const height = tokenPx('--spacing-row') || 1;
    const at = rows[Math.floor(offset / height)];
    if (at !== undefined) top.current = { tree, id: tree.idAt(at), offset: offset % height };
  });
}

/** Reports the time range of the visible rows to the overview strip. */
function useVisibleRange(window: TimeWindow, tree: SpanTree, rows: Int32Array, virtual: Virtual): void {
  const { startIndex, endIndex } = virtual.range ?? { startIndex: -1, endIndex: -1 };
  const [first, last] = [rows[startIndex], rows[endIndex]];
  useLayoutEffect(() => {
    if (first === undefined || last === undefined) return;
    window.setVisible({ from: tree.start[first] as number, to: tree.start[last] as number });
  }, [window, tree, first, last]);
}

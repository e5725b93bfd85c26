/** Lists of which only the rows on screen exist: they cost the same whether they hold ten or a hundred thousand. Their rows are of one height. */
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { tokenPx } from '../primitives/token-size.ts';

/** Rows drawn beyond the edge, so that a quick scroll finds them there. */
const overscan = 6;
const nearRows = 3;

/** How high the last list of a kind was: the next one is drawn whole at once, not empty until it has been measured. */
const lastHeights = new Map<string, number>();

type Rows = Virtualizer<HTMLElement, Element>;

/** The observer calls back in the frame to come: where the height is known from the last list, nothing is measured before. */
const heightOf = (kind: string) => (rows: Rows, tell: (rect: { width: number; height: number }) => void) => {
  const element = rows.scrollElement;
  if (!element) return;
  const look = () => {
    const { clientHeight: height } = element;
    if (height > 0) lastHeights.set(kind, height);
    tell({ width: 0, height });
  };
  if (!lastHeights.has(kind)) look();
  const observer = new ResizeObserver(look);
  observer.observe(element);
  return () => observer.disconnect();
};

/** @param height the token that says how tall a row is */
export function useVirtualRows(count: number, scroller: RefObject<HTMLElement | null>, height: `--${string}` = '--spacing-row'): Rows {
  const row = tokenPx(height) || 28;
  const virtual = useVirtualizer<HTMLElement, Element>({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => row,
    overscan,
    initialRect: { width: 0, height: lastHeights.get(height) ?? 0 },
    observeElementRect: heightOf(height),
  });
  const before = useRef(row);
  useLayoutEffect(() => {
    // Another kind of pointer makes rows taller.
    if (before.current !== row) virtual.measure();
    before.current = row;
  }, [virtual, row]);
  return virtual;
}

interface Scrolled {
  range: { startIndex: number; endIndex: number } | null;
  scrollToIndex(index: number, to: { align: 'auto' | 'center' }): void;
}

/** Keeps the row at `index` in sight when it becomes another one, and leaves the scroll alone otherwise. */
export function useInSight(virtual: Scrolled, id: string | null, index: number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that arrive above must not scroll the list
  useEffect(() => {
    if (id === null || index < 0) return;
    // A step stays at the edge it went over; a jump lands in the middle, with what stands around it.
    const { startIndex, endIndex } = virtual.range ?? { startIndex: 0, endIndex: 0 };
    const isFar = index < startIndex - nearRows || index > endIndex + nearRows;
    virtual.scrollToIndex(index, { align: isFar ? 'center' : 'auto' });
  }, [id]);
}

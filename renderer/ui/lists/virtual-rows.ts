/** Virtual lists: only the rows on screen are rendered, so the cost does not depend on their number. All rows have the same height. */
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { tokenPx } from '../primitives/token-size.ts';

/** Rows rendered beyond the visible ones, so that a quick scroll shows no gap. */
const overscan = 6;
const nearRows = 3;

/** Height of the last list of each kind: the next one is rendered at once, without waiting for a measurement. */
const lastHeights = new Map<string, number>();

type Rows = Virtualizer<HTMLElement, Element>;

/** The observer reports in the next frame. The height is measured earlier only when no previous list supplies it. */
const heightOf = (kind: string) => (rows: Rows, onRect: (rect: { width: number; height: number }) => void) => {
  const element = rows.scrollElement;
  if (!element) return;
  const measure = () => {
    const { clientHeight: height } = element;
    if (height > 0) lastHeights.set(kind, height);
    onRect({ width: 0, height });
  };
  if (!lastHeights.has(kind)) measure();
  const observer = new ResizeObserver(measure);
  observer.observe(element);
  return () => observer.disconnect();
};

/** @param height token with the height of a row */
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
  const previous = useRef(row);
  useLayoutEffect(() => {
    // A coarse pointer makes rows taller.
    if (previous.current !== row) virtual.measure();
    previous.current = row;
  }, [virtual, row]);
  return virtual;
}

interface Scrolled {
  range: { startIndex: number; endIndex: number } | null;
  scrollToIndex(index: number, to: { align: 'auto' | 'center' }): void;
}

/** Scrolls the row at `index` into view when `id` changes, and does not scroll otherwise. */
export function useInSight(virtual: Scrolled, id: string | null, index: number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that arrive above must not scroll the list
  useEffect(() => {
    if (id === null || index < 0) return;
    // A step scrolls to the nearest edge; a jump scrolls to the middle, with the rows around it.
    const { startIndex, endIndex } = virtual.range ?? { startIndex: 0, endIndex: 0 };
    const isFar = index < startIndex - nearRows || index > endIndex + nearRows;
    virtual.scrollToIndex(index, { align: isFar ? 'center' : 'auto' });
  }, [id]);
}

import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect } from 'react';
import { tokenPx } from './token-size.ts';

/** Rows drawn beyond the edge, so that a quick scroll finds them there. */
const overscan = 12;
const nearRows = 3;

/** Only the rows on screen exist, so that a list costs the same whether it holds ten or a hundred thousand. */
/** @param height the token that says how tall a row is */
export function useVirtualRows(count: number, scroller: RefObject<HTMLElement | null>, height: `--${string}` = '--spacing-row') {
  const size = useCallback(() => tokenPx(height) || 28, [height]);
  return useVirtualizer({ count, getScrollElement: () => scroller.current, estimateSize: size, overscan });
}

type Virtual = ReturnType<typeof useVirtualRows>;

/** Keeps the row at `index` in sight when it becomes another one, and leaves the scroll alone otherwise. */
export function useInSight(virtual: Pick<Virtual, 'range' | 'scrollToIndex'>, id: string | null, index: number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that arrive above must not scroll the list
  useEffect(() => {
    if (id === null || index < 0) return;
    // A step stays at the edge it went over; a jump lands in the middle, with what stands around it.
    const { startIndex, endIndex } = virtual.range ?? { startIndex: 0, endIndex: 0 };
    const isFar = index < startIndex - nearRows || index > endIndex + nearRows;
    virtual.scrollToIndex(index, { align: isFar ? 'center' : 'auto' });
  }, [id]);
}

/**
 * Only the rows on screen exist, so that a list costs the same whether it holds ten or a hundred thousand. Its rows are of one height,
 * so that where one stands is a product and not a table: a virtualizer for rows of any height makes an object for each.
 */
import { type RefObject, useEffect, useLayoutEffect, useReducer, useState } from 'react';
import { flushSync } from 'react-dom';
import { tokenPx } from './token-size.ts';

/** Rows drawn beyond the edge, so that a quick scroll finds them there. */
const overscan = 6;
const nearRows = 3;

/** How high the last list of a kind was: the next one is drawn whole at once, not empty until it has been measured. */
const lastHeights = new Map<string, number>();

class VirtualRows {
  readonly #kind: string;
  readonly #changed: () => void;
  #element: HTMLElement | null = null;
  #resized: ResizeObserver | null = null;
  #height: number;
  #count = 0;
  #row = 1;
  /** How far the list is scrolled, in pixels. */
  scrollOffset = 0;

  /** @param changed called when other rows are in sight */
  constructor(kind: string, changed: () => void) {
    this.#kind = kind;
    this.#changed = changed;
    this.#height = lastHeights.get(kind) ?? 0;
  }

  /** For every drawing: how many rows there are, and how tall one is. */
  set(count: number, row: number): void {
    this.#count = count;
    this.#row = row;
  }

  /** Follows the element that scrolls; does nothing for the one it follows already. */
  follow(element: HTMLElement | null): void {
    if (element === this.#element) return;
    this.#element?.removeEventListener('scroll', this.#moved);
    this.#resized?.disconnect();
    this.#element = element;
    if (!element) return;
    element.addEventListener('scroll', this.#moved, { passive: true });
    // Called in the frame to come too: where the height is known from the last list, nothing is measured before.
    this.#resized = new ResizeObserver(this.#moved);
    this.#resized.observe(element);
    this.scrollOffset = 0;
    if (this.#height === 0) this.#measure(element);
  }

  /** The rows in sight. */
  get range(): { startIndex: number; endIndex: number } {
    const top = Math.max(0, Math.min(this.scrollOffset, this.getTotalSize() - this.#height));
    const endIndex = Math.min(this.#count, Math.ceil((top + this.#height) / this.#row)) - 1;
    return { startIndex: Math.floor(top / this.#row), endIndex };
  }

  getTotalSize = (): number => this.#count * this.#row;

  /** The rows to draw: those in sight and some beyond. */
  getVirtualItems(): { index: number; start: number; size: number }[] {
    if (this.#height === 0) return [];
    const { startIndex, endIndex } = this.range;
    const first = Math.max(0, startIndex - overscan);
    const length = Math.max(0, Math.min(this.#count - 1, endIndex + overscan) - first + 1);
    return Array.from({ length }, (_, at) => ({ index: first + at, start: (first + at) * this.#row, size: this.#row }));
  }

  /** @param align `auto` scrolls as little as is needed */
  scrollToIndex(index: number, { align }: { align: 'auto' | 'center' }): void {
    const element = this.#element;
    if (!element) return;
    const [top, bottom] = [index * this.#row, (index + 1) * this.#row - this.#height];
    if (align === 'center') element.scrollTop = (top + bottom) / 2;
    else if (top < this.scrollOffset) element.scrollTop = top;
    else if (bottom > this.scrollOffset) element.scrollTop = bottom;
  }

  /** In the frame that scrolls, or it would show empty rows. */
  #moved = () => {
    const element = this.#element;
    if (element) flushSync(() => this.#measure(element));
  };

  #measure(element: HTMLElement): void {
    const before = this.range;
    const wasEmpty = this.#height === 0;
    this.scrollOffset = element.scrollTop;
    this.#height = element.clientHeight;
    if (this.#height > 0) lastHeights.set(this.#kind, this.#height);
    const now = this.range;
    if (wasEmpty || now.startIndex !== before.startIndex || now.endIndex !== before.endIndex) this.#changed();
  }
}

/** @param height the token that says how tall a row is */
export function useVirtualRows(
  count: number,
  scroller: RefObject<HTMLElement | null>,
  height: `--${string}` = '--spacing-row',
): VirtualRows {
  const [, draw] = useReducer((drawn: number) => drawn + 1, 0);
  const [virtual] = useState(() => new VirtualRows(height, draw));
  virtual.set(count, tokenPx(height) || 28);
  // After every drawing: the element may be another one.
  useLayoutEffect(() => virtual.follow(scroller.current));
  useEffect(() => () => virtual.follow(null), [virtual]);
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

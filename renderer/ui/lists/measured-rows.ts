/**
 * Virtual list of rows whose heights are known only when they are drawn. New rows are measured before the frame is painted, so no frame shows
 * a gap or an overlap. A row in view stays in place when rows above it turn out to be higher or lower, or arrive. A frame costs
 * what its rows cost: finding them and changing a height take O(log rows).
 */
import { type RefObject, useLayoutEffect, useMemo, useReducer, useState } from 'react';
import { flushSync } from 'react-dom';
import { RowHeights } from './row-heights.ts';

/** Rows rendered beyond the visible ones, so that a quick scroll shows no gap. */
const overscan = 4;
/** A smaller difference is rounding. In pixels. */
const noChange = 0.05;

export interface RowSource {
  count: number;
  idAt: (index: number) => string;
  /** -1 when the row is not in the list. */
  indexOf: (id: string) => number;
  /** Height in pixels, used until the row is measured. */
  estimate: (index: number) => number;
}

/** The point that stays in place: at a share of the row's height, this many pixels below the top of the view. */
interface Anchor {
  id: string;
  share: 0 | 0.5 | 1;
  top: number;
}

type Align = 'auto' | 'center';

class RowsInView {
  source: RowSource;
  heights: RowHeights;
  offset = 0;
  /** Height of the visible part. */
  height = 0;
  isMoved = false;
  readonly drawn = new Set<Element>();
  #anchor: Anchor | null = null;
  /** The last scroll position that was set here: its event is not a movement by the user. */
  #setOffset = -1;
  readonly #measured = new Map<string, number>();
  readonly #unmeasured = new Set<Element>();

  constructor(source: RowSource) {
    this.source = source;
    this.heights = this.#heightsOf(source);
  }

  setSource(source: RowSource): void {
    if (source === this.source) return;
    this.source = source;
    this.heights = this.#heightsOf(source);
    this.isMoved = this.#keepAnchor() || this.isMoved;
  }

  #heightsOf(source: RowSource): RowHeights {
    const heights = new RowHeights(source.count, source.estimate);
    for (const [id, height] of this.#measured) {
      const index = source.indexOf(id);
      if (index >= 0) heights.setHeight(index, height);
    }
    return heights;
  }

  visible(): { startIndex: number; endIndex: number } {
    return { startIndex: this.heights.indexAt(this.offset), endIndex: this.heights.indexAt(this.offset + this.height) };
  }

  drawnRange(): [first: number, last: number] {
    const { startIndex, endIndex } = this.visible();
    if (this.height === 0) return [0, -1];
    return [Math.max(0, startIndex - overscan), Math.min(this.source.count - 1, endIndex + overscan)];
  }

  attach(element: Element): void {
    this.drawn.add(element);
    this.#unmeasured.add(element);
  }

  detach(element: Element): void {
    this.drawn.delete(element);
    this.#unmeasured.delete(element);
  }

  /** Measures the rows that were drawn since the last call. @returns whether rows move */
  measureNew(): boolean {
    const sizes = [...this.#unmeasured].map((element): [Element, number] => [element, element.getBoundingClientRect().height]);
    this.#unmeasured.clear();
    return this.resize(sizes);
  }

  /** @returns whether rows move */
  resize(sizes: readonly [element: Element, height: number][]): boolean {
    let isChanged = false;
    for (const [element, height] of sizes) {
      const index = Number((element as HTMLElement).dataset['index']);
      if (!this.drawn.has(element) || index >= this.source.count) continue;
      this.#measured.set(this.source.idAt(index), height);
      if (Math.abs(this.heights.height(index) - height) < noChange) continue;
      this.heights.setHeight(index, height);
      isChanged = true;
    }
    if (isChanged) this.isMoved = this.#keepAnchor() || this.isMoved;
    return isChanged;
  }

  /** Shows a row, and keeps it there until the user scrolls: texts that load around it do not move it away. @returns whether the offset changes */
  scrollTo(index: number, align: Align): boolean {
    if (index < 0 || index >= this.source.count) return false;
    const [top, height] = [this.heights.start(index) - this.offset, this.heights.height(index)];
    const isVisible = top >= 0 && (top + height <= this.height || (height > this.height && top < this.height));
    const share = align === 'center' ? 0.5 : top < 0 ? 0 : 1;
    const id = this.source.idAt(index);
    this.#anchor = align === 'auto' && isVisible ? { id, share: 0, top } : { id, share, top: share * this.height };
    const isMoving = this.#keepAnchor();
    this.isMoved ||= isMoving;
    return isMoving;
  }

  /** The user or the browser scrolled. */
  scrolled(offset: number): void {
    const before = this.#firstWhole(this.offset);
    this.offset = offset;
    if (Math.abs(offset - this.#setOffset) < 1) return;
    this.#setOffset = -1;
    // Rows that come into view at the top grow upwards when their texts load: what was in view before stays in place.
    const index = this.#isTopInView(before) ? before : this.#firstWhole(offset);
    this.#anchor = index < 0 || offset <= 0 ? null : { id: this.source.idAt(index), share: 0, top: this.heights.start(index) - offset };
  }

  #isTopInView(index: number): boolean {
    const top = index < 0 ? -1 : this.heights.start(index) - this.offset;
    return top >= 0 && top < this.height;
  }

  /** The first row that is wholly in view. A row that is cut off at the top may grow upwards, unless it fills most of the view. */
  #firstWhole(offset: number): number {
    const index = this.heights.indexAt(offset);
    if (index < 0 || index + 1 >= this.source.count || this.heights.start(index) >= offset) return index;
    const end = this.heights.start(index) + this.heights.height(index);
    return end - offset < this.height / 2 ? index + 1 : index;
  }

  /** Scrolls the element to the offset once its content is high enough. */
  apply(scroller: Element): void {
    if (!this.isMoved) return;
    this.isMoved = false;
    scroller.scrollTop = this.offset;
    this.offset = scroller.scrollTop;
    this.#setOffset = this.offset;
  }

  /** @returns whether the offset changes */
  #keepAnchor(): boolean {
    const index = this.#anchor === null ? -1 : this.source.indexOf(this.#anchor.id);
    if (this.#anchor === null || index < 0) return false;
    const { share, top } = this.#anchor;
    const height = this.heights.height(index);
    // Of a row that is higher than the view, the top is shown.
    const at = share > 0 && height > this.height ? 0 : share * height - top;
    const wanted = this.heights.start(index) + at;
    const offset = Math.max(0, Math.min(wanted, this.heights.total - this.height));
    if (Math.abs(offset - this.offset) < noChange) return false;
    this.offset = offset;
    return true;
  }
}

export interface MeasuredRows {
  /** The rows to draw, each at `start` pixels, with its index as `data-index` and `measure` as its ref. */
  items: { index: number; start: number }[];
  total: number;
  /** The rows in view. */
  range: { startIndex: number; endIndex: number };
  measure: (element: HTMLElement | null) => (() => void) | undefined;
  scrollToIndex: (index: number, to: { align: Align }) => void;
}

/** @param source the same object until the rows change */
export function useMeasuredRows(source: RowSource, scroller: RefObject<HTMLElement | null>): MeasuredRows {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const [view] = useState(() => new RowsInView(source));
  view.setSource(source);
  const observer = useMemo(
    () =>
      new ResizeObserver((entries) => {
        const sizes = entries.map(({ target, borderBoxSize }): [Element, number] => [target, borderBoxSize[0]?.blockSize ?? 0]);
        if (view.resize(sizes)) flushSync(draw);
      }),
    [view],
  );
  const [first, last] = view.drawnRange();
  useScroller(view, scroller, draw);
  useLayoutEffect(() => {
    // Drawing again measures the rows that come into view with it; then nothing changes any more.
    if (view.measureNew()) draw();
    else if (scroller.current) view.apply(scroller.current);
  });
  return {
    items: Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => ({ index: first + at, start: view.heights.start(first + at) })),
    total: view.heights.total,
    range: view.visible(),
    measure: useMemo(() => attachTo(view, observer), [view, observer]),
    scrollToIndex: (index, { align }) => view.scrollTo(index, align) && draw(),
  };
}

const attachTo = (view: RowsInView, observer: ResizeObserver) => (element: HTMLElement | null) => {
  if (!element) return undefined;
  view.attach(element);
  observer.observe(element);
  return () => {
    view.detach(element);
    observer.unobserve(element);
  };
};

/** Draws again when other rows come into view. */
function useScroller(view: RowsInView, scroller: RefObject<HTMLElement | null>, draw: () => void): void {
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const fitView = () => {
      view.height = element.clientHeight;
      draw();
    };
    const onScroll = () => {
      const before = view.drawnRange();
      view.scrolled(element.scrollTop);
      const after = view.drawnRange();
      // In this frame: the next one would show a gap first.
      if (before[0] !== after[0] || before[1] !== after[1]) flushSync(draw);
    };
    fitView();
    const observer = new ResizeObserver(fitView);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [view, scroller, draw]);
}

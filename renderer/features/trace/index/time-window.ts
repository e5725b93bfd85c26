/**
 * Selected time range of a trace, and the time under the pointer. The overview, the axis and all timeline rows subscribe to it directly,
 * because React would render the page for every step of the wheel.
 */
import { useEffect, useSyncExternalStore } from 'react';

export interface Range {
  from: number;
  to: number;
}

/** Smallest range, in milliseconds. A closer zoom shows nothing more: this is a nanosecond for every few pixels. */
const spanMin = 0.000_5;

export class TimeWindow {
  #whole: Range = { from: 0, to: 1 };
  #range: Range | null = null;
  #cursor: number | null = null;
  #hovered: Range | null = null;
  #visible: Range | null = null;
  readonly #listeners = new Set<() => void>();
  readonly #drawings = new Set<() => void>();
  #drawn: Range = this.#whole;
  #frame = 0;

  readonly watch = (changed: () => void) => {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  };

  /** Calls `draw` once before the next frame after the range changes. Dozens of bars share one animation callback. */
  watchRange(draw: () => void): () => void {
    this.#drawings.add(draw);
    return () => void this.#drawings.delete(draw);
  }

  get whole(): Range {
    return this.#whole;
  }

  /** Selected range: everything, unless narrowed. */
  get range(): Range {
    return this.#range ?? this.#whole;
  }

  readonly narrowed = (): Range | null => this.#range;

  /** Milliseconds after the origin; null while the pointer is elsewhere. */
  get cursor(): number | null {
    return this.#cursor;
  }

  /** Start and end of the trace. A narrowed range stays while the trace grows. */
  setWhole(from: number, to: number): void {
    if (this.#whole.from === from && this.#whole.to === to) return;
    this.#whole = { from, to: Math.max(to, from + spanMin) };
    this.#notify();
  }

  narrow(range: Range | null): void {
    const next = range && this.#fitted(range);
    if (next?.from === this.#range?.from && next?.to === this.#range?.to) return;
    this.#range = next;
    this.#notify();
  }

  point(cursor: number | null): void {
    if (cursor === this.#cursor) return;
    this.#cursor = cursor;
    this.#notify();
  }

  /** Time range of the row under the pointer. */
  get hovered(): Range | null {
    return this.#hovered;
  }

  hover(hovered: Range | null): void {
    this.#hovered = hovered;
    this.#notify();
  }

  /** Time range of the visible rows. */
  get visible(): Range | null {
    return this.#visible;
  }

  setVisible(visible: Range | null): void {
    if (this.#visible?.from === visible?.from && this.#visible?.to === visible?.to) return;
    this.#visible = visible;
    this.#notify();
  }

  /** Makes the range `factor` times as wide and keeps the moment `around` in place. */
  zoom(factor: number, around: number): void {
    const { from, to } = this.range;
    const share = (around - from) / (to - from);
    const width = Math.max(spanMin, (to - from) * factor);
    this.narrow({ from: around - width * share, to: around + width * (1 - share) });
  }

  /** Moves the range by a share of its width. */
  pan(share: number): void {
    const { from, to } = this.range;
    const by = (to - from) * share;
    const shift = Math.max(this.#whole.from - from, Math.min(this.#whole.to - to, by));
    this.narrow({ from: from + shift, to: to + shift });
  }

  /** Moves a narrowed range to a span outside it, without changing its width. */
  reveal({ from, to }: Range): void {
    const now = this.#range;
    if (!now || (to >= now.from && from <= now.to)) return;
    const width = now.to - now.from;
    const start = Math.min(this.#whole.to - width, Math.max(this.#whole.from, (from + to - width) / 2));
    this.narrow({ from: start, to: start + width });
  }

  #fitted({ from, to }: Range): Range | null {
    const least = Math.max(this.#whole.from, Math.min(from, to));
    const most = Math.min(this.#whole.to, Math.max(from, to));
    if (least <= this.#whole.from && most >= this.#whole.to) return null;
    return { from: least, to: Math.max(most, least + spanMin) };
  }

  #notify(): void {
    // Pointer and scroll position change far more often and do not affect the drawings.
    if (this.range !== this.#drawn && this.#drawings.size > 0) {
      this.#frame ||= requestAnimationFrame(() => {
        this.#frame = 0;
        this.#drawn = this.range;
        for (const draw of this.#drawings) draw();
      });
    }
    for (const changed of this.#listeners) changed();
  }
}

/**
 * Narrowed range for React components. The component is not rendered when only the pointer moves.
 * @param isUsed false: always null, and the component is not rendered for it
 */
export const useNarrowed = (window: TimeWindow, isUsed = true): Range | null =>
  useSyncExternalStore(window.watch, isUsed ? window.narrowed : nothing);

const nothing = () => null;

/** Calls `draw` now, and once before the next frame after the range changes or `watch` reports a change. */
export function useDrawn(window: TimeWindow, watch: (changed: () => void) => () => void, draw: () => void): void {
  useEffect(() => {
    let frame = 0;
    draw();
    const stops = [
      window.watchRange(draw),
      watch(() => {
        frame ||= requestAnimationFrame(() => {
          frame = 0;
          draw();
        });
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      cancelAnimationFrame(frame);
    };
  }, [window, watch, draw]);
}

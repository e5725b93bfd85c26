/**
 * Selected time range of a trace, and the time under the pointer. The strip, the axis and all timeline rows listen to it themselves, because
 * React would render the page for every step of the wheel.
 */
import { useEffect, useSyncExternalStore } from 'react';

export interface Range {
  from: number;
  to: number;
}

/** Closer than this nothing more can be seen: a nanosecond for every few pixels. */
const spanMin = 0.000_5;

export class TimeWindow {
  #whole: Range = { from: 0, to: 1 };
  #range: Range | null = null;
  #cursor: number | null = null;
  #lit: Range | null = null;
  #sight: Range | null = null;
  readonly #listeners = new Set<() => void>();

  readonly watch = (changed: () => void) => {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  };

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
    this.#tell();
  }

  narrow(range: Range | null): void {
    const next = range && this.#fitted(range);
    if (next?.from === this.#range?.from && next?.to === this.#range?.to) return;
    this.#range = next;
    this.#tell();
  }

  point(cursor: number | null): void {
    if (cursor === this.#cursor) return;
    this.#cursor = cursor;
    this.#tell();
  }

  /** The time of the row under the pointer. */
  get lit(): Range | null {
    return this.#lit;
  }

  light(lit: Range | null): void {
    this.#lit = lit;
    this.#tell();
  }

  /** Time range of the visible rows. */
  get sight(): Range | null {
    return this.#sight;
  }

  see(sight: Range | null): void {
    if (this.#sight?.from === sight?.from && this.#sight?.to === sight?.to) return;
    this.#sight = sight;
    this.#tell();
  }

  /** Makes the window `factor` times as wide, and leaves the moment `around` where it is. */
  zoom(factor: number, around: number): void {
    const { from, to } = this.range;
    const share = (around - from) / (to - from);
    const width = Math.max(spanMin, (to - from) * factor);
    this.narrow({ from: around - width * share, to: around + width * (1 - share) });
  }

  /** Moves the window by a share of its width. */
  pan(share: number): void {
    const { from, to } = this.range;
    const by = (to - from) * share;
    const kept = Math.max(this.#whole.from - from, Math.min(this.#whole.to - to, by));
    this.narrow({ from: from + kept, to: to + kept });
  }

  /** Moves a narrowed window to a span that it does not show, and leaves its width. */
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

  #tell(): void {
    for (const changed of this.#listeners) changed();
  }
}

/** Narrowed range for React components: changes with it, not with the pointer. */
export const useNarrowed = (window: TimeWindow): Range | null => useSyncExternalStore(window.watch, window.narrowed);

/** Draws now, and once before the next frame after the range changes or `watch` reports a change. */
export function useDrawn(window: TimeWindow, watch: (changed: () => void) => () => void, draw: () => void): void {
  useEffect(() => {
    let frame = 0;
    let { range } = window;
    const again = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        draw();
      });
    };
    draw();
    const stops = [
      watch(again),
      // Pointer and scroll position change far more often and do not affect the drawing.
      window.watch(() => {
        if (window.range === range) return;
        range = window.range;
        again();
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      cancelAnimationFrame(frame);
    };
  }, [window, watch, draw]);
}

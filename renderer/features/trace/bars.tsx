import { useCallback, useRef } from 'react';
import type { SpanTree } from '../../model/span-tree.ts';
import { paintOn } from '../../ui/canvas.tsx';
import { type BarStyle, labelFont, paintBar, paintGrid } from './bar-paint.ts';
import type { SpanTexts } from './span-texts.ts';
import { type TimeWindow, useDrawn } from './time-window.ts';

interface BarsProps {
  tree: SpanTree;
  rows: Int32Array;
  /** The rows that exist, on screen and just beyond. */
  first: number;
  last: number;
  texts: SpanTexts;
  window: TimeWindow;
  style: BarStyle;
}

/**
 * The bars of the rows on screen, on one canvas that scrolls with them: a canvas for each row costs a browser several times as
 * much. It paints itself when the window moves; React takes no part in a zoom.
 */
export function Bars({ tree, rows, first, last, texts, window, style }: BarsProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const high = Math.max(0, last - first + 1) * style.height;
  const draw = useCallback(() => {
    paintOn(canvas.current, style.width, high, (context) => {
      const { range } = window;
      paintGrid(context, style, range, high);
      context.font = labelFont();
      for (let index = first; index <= last; index++) {
        const at = rows[index];
        if (at === undefined) break;
        context.save();
        context.translate(0, (index - first) * style.height);
        paintBar(context, { ...style, tree, at, text: texts.get(tree.idAt(at)) }, range);
        context.restore();
      }
    });
  }, [tree, rows, first, last, texts, window, style, high]);
  useDrawn(window, texts.watch, draw);
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute top-0 right-pad"
      style={{ transform: `translateY(${first * style.height}px)`, width: style.width, height: high }}
    >
      <canvas ref={canvas} className="block" style={{ width: style.width, height: high }} />
    </div>
  );
}

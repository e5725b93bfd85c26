import { useCallback, useRef } from 'react';
import type { SpanTree } from '../../../model/trace/span-tree.ts';
import type { SpanTexts } from '../detail/span-texts.ts';
import { type BarStyle, barShapes } from './bar-shapes.ts';
import { type TimeWindow, useDrawn } from './time-window.ts';

export interface BarProps {
  tree: SpanTree;
  at: number;
  texts: SpanTexts;
  window: TimeWindow;
  style: BarStyle;
}

const paths = ['whole', 'self', 'critical', 'marks'] as const;

/**
 * The bar of one row. It redraws itself when the window moves, without React, so that zooming stays smooth. It is an SVG and not a
 * canvas, because a browser without a graphics card repaints a canvas in every scrolled frame, and these paths only once.
 */
export function Bar({ tree, at, texts, window, style }: BarProps) {
  const picture = useRef<SVGSVGElement>(null);
  const label = useRef<HTMLSpanElement>(null);
  const draw = useCallback(() => {
    const svg = picture.current;
    if (!svg || !label.current || style.width <= 0) return;
    const shapes = barShapes({ ...style, tree, at, text: texts.get(tree.idAt(at)) }, window.range);
    // Setting the same path or text again would cause a new layout.
    for (const [index, name] of paths.entries()) {
      const path = svg.children[index];
      if (path && path.getAttribute('d') !== shapes[name]) path.setAttribute('d', shapes[name]);
    }
    if (label.current.textContent !== shapes.label) label.current.textContent = shapes.label;
    label.current.style.transform = `translateX(${shapes.left}px)`;
  }, [tree, at, texts, window, style]);
  useDrawn(window, texts.watch, draw);
  const fill = `var(--color-${tree.isFailed(at) ? 'err' : tree.kindAt(at)})`;
  return (
    <div aria-hidden="true" className="pointer-events-none relative h-row overflow-hidden contain-strict">
      <svg ref={picture} aria-hidden="true" className="absolute inset-0 size-full">
        <path fill={fill} shapeRendering="crispEdges" fillOpacity={0.36} />
        <path fill={fill} shapeRendering="crispEdges" fillOpacity={tree.isPending(at) ? 0.6 : 1} />
        <path className="fill-bg" shapeRendering="crispEdges" />
        <path className="fill-fg" />
      </svg>
      <span ref={label} className="absolute inset-y-0 left-0 flex items-center whitespace-nowrap text-fg-3 text-label" />
    </div>
  );
}

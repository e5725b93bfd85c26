/**
 * Shapes of a span on the time axis: a light bar for its duration, a solid one for its self time, a dark line on the critical path, a mark
 * at the first token, dots for events. SVG paths in CSS pixels of the row.
 */
import type { SpanPreview } from '../../../../shared/contract/tracing/trace-outline.ts';
import { duration } from '../../../model/text/format.ts';
import { milliseconds } from '../../../model/time/time.ts';
import { selfParts } from '../../../model/trace/self-parts.ts';
import type { SpanTree } from '../../../model/trace/span-tree.ts';
import { tokenPx } from '../../../ui/primitives/token-size.ts';
import type { LoadedTrace } from '../page/trace-query.ts';
import type { Range } from './time-window.ts';

const barHeight = 10;
const widthMin = 2;
const dotRadius = 1.75;

export interface BarStyle {
  /** For the critical path. */
  loaded: Pick<LoadedTrace, 'critical'>;
  /** Width of the bars. */
  width: number;
  /** Height of a row. */
  height: number;
}

interface Bar extends BarStyle {
  tree: SpanTree;
  at: number;
  text: SpanPreview | undefined;
}

export interface BarShapes {
  whole: string;
  self: string;
  critical: string;
  marks: string;
  /** Duration as text. */
  label: string;
  /** Position of the label. */
  left: number;
}

export function barShapes({ tree, at, loaded, text, width, height }: Bar, { from, to }: Range): BarShapes {
  const { critical } = loaded;
  const x = (moment: number) => ((moment - from) / (to - from)) * width;
  const [start, end] = [tree.start[at] as number, tree.end[at] as number];
  const top = (height - barHeight) / 2;
  const strip = (a: number, b: number, y: number, high: number, least: number) => {
    const left = Math.max(-widthMin, x(a));
    const right = Math.min(width + widthMin, Math.max(x(b), x(a) + least));
    return right > 0 && left < width && right > left ? rectangle(left, y, right - left, high) : '';
  };
  let self = '';
  for (const part of selfParts(tree, at, from, to, (to - from) / width)) self += strip(part.from, part.to, top, barHeight, widthMin / 2);
  let criticalPath = '';
  for (let part = critical.first[at] as number; part < (critical.first[at + 1] as number); part++) {
    criticalPath += strip(critical.from[part] as number, critical.to[part] as number, height / 2 - 1, 2, 0);
  }
  const isPending = tree.isPending(at);
  const label = isPending ? 'Running' : duration(milliseconds(end - start));
  return {
    whole: strip(start, end, top, barHeight, widthMin),
    self,
    critical: criticalPath,
    marks: marks(tree, at, text, x, height) + (isPending ? strip(end, end, top - 2, barHeight + 4, 2) : ''),
    ...placedLabel(label, x(start), x(end), width),
  };
}

function marks(tree: SpanTree, at: number, text: SpanPreview | undefined, x: (moment: number) => number, height: number): string {
  const start = tree.start[at] as number;
  const firstToken = tree.firstTokenAt(at);
  let path = firstToken === null ? '' : rectangle(Math.round(x(start + firstToken)) - 1, (height - barHeight) / 2 - 2, 2, barHeight + 4);
  let last = Number.NEGATIVE_INFINITY;
  for (const us of text?.event_us ?? []) {
    const left = x(start + us / 1000);
    // Dots that would overlap are drawn as one.
    if (left - last < 3) continue;
    last = left;
    path += dot(left, height / 2 + barHeight / 2 + 2);
  }
  return path;
}

const short = (pixels: number) => Math.round(pixels * 100) / 100;

const rectangle = (left: number, top: number, width: number, height: number) =>
  `M${short(left)} ${top}h${short(width)}v${height}h${-short(width)}z`;

const dot = (x: number, y: number) =>
  `M${short(x - dotRadius)} ${y}a${dotRadius} ${dotRadius} 0 1 0 ${2 * dotRadius} 0a${dotRadius} ${dotRadius} 0 1 0 ${-2 * dotRadius} 0z`;

/** Places the label after the bar, or before it at the right edge. A bar outside the window has its label at the nearer edge. */
function placedLabel(words: string, left: number, right: number, width: number): Pick<BarShapes, 'label' | 'left'> {
  const label = right < 0 ? `‹ ${words}` : left > width ? `${words} ›` : words;
  const labelWidth = widthOf(label);
  const after = Math.max(4, right + 6);
  if (after + labelWidth <= width) return { label, left: short(after) };
  const before = Math.min(left, width) - 6 - labelWidth;
  return before >= 0 ? { label, left: short(before) } : { label: '', left: 0 };
}

const widths = new Map<string, number>();
const widthsMax = 5000;
let ruler: CanvasRenderingContext2D | null = null;

/** Measured widths are cached, because labels repeat and measuring them takes longer than drawing. */
function widthOf(words: string): number {
  const cached = widths.get(words);
  if (cached !== undefined) return cached;
  if (widths.size > widthsMax) widths.clear();
  ruler ??= document.createElement('canvas').getContext('2d');
  if (!ruler) return 0;
  ruler.font = `${tokenPx('--text-label')}px "Inter Variable", sans-serif`;
  const { width } = ruler.measureText(words);
  widths.set(words, width);
  return width;
}

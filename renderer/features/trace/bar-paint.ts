/**
 * A span on the time axis: light for as long as it took, full where it worked itself, a dark line inside where the end of the
 * trace waited for it, a mark at the first token, dots for events.
 */
import type { SpanPreview } from '../../../shared/contract/trace-outline.ts';
import { duration } from '../../model/format.ts';
import { selfParts } from '../../model/self-parts.ts';
import type { SpanTree } from '../../model/span-tree.ts';
import { ticks } from '../../model/ticks.ts';
import { milliseconds } from '../../model/time.ts';
import type { Colours } from '../../ui/token-colours.ts';
import { tokenPx } from '../../ui/token-size.ts';
import type { Range } from './time-window.ts';
import type { LoadedTrace } from './trace-query.ts';

const barHeight = 10;
const widthMin = 2;
/** Asked for per frame and not per row: reading a token is not free. */
export const labelFont = () => `${tokenPx('--text-label')}px "Inter Variable", sans-serif`;
/** One mark for so many pixels; the axis counts the same way. */
export const tickEvery = 96;

export interface BarStyle {
  /** Says what the end of the trace waited for. */
  loaded: Pick<LoadedTrace, 'critical'>;
  colours: Colours;
  /** Of the bars. */
  width: number;
  /** Of a row. */
  height: number;
}

interface Bar extends BarStyle {
  tree: SpanTree;
  at: number;
  text: SpanPreview | undefined;
}

type Context = CanvasRenderingContext2D;

/** Lines at the round moments, behind all bars. */
export function paintGrid(context: Context, { colours, width }: BarStyle, { from, to }: Range, height: number): void {
  context.fillStyle = colours.line;
  for (const tick of ticks(from, to, Math.max(1, width / tickEvery))) {
    context.fillRect(Math.round(((tick.at - from) / (to - from)) * width), 0, 1, height);
  }
}

/** Paints one row at the top of the context. */
export function paintBar(context: Context, { tree, at, loaded, colours, text, width, height }: Bar, { from, to }: Range): void {
  const { critical } = loaded;
  const x = (moment: number) => ((moment - from) / (to - from)) * width;
  const [start, end] = [tree.start[at] as number, tree.end[at] as number];
  const isFailed = tree.isFailed(at);
  const colour = isFailed ? colours.err : colours[tree.kindAt(at)];
  const top = (height - barHeight) / 2;
  const fill = (a: number, b: number, y: number, high: number, least: number) => {
    const left = Math.max(-widthMin, x(a));
    const right = Math.min(width + widthMin, Math.max(x(b), x(a) + least));
    if (right > 0 && left < width && right > left) context.fillRect(left, y, right - left, high);
  };
  context.fillStyle = colour;
  context.globalAlpha = 0.36;
  fill(start, end, top, barHeight, widthMin);
  context.globalAlpha = tree.isPending(at) ? 0.6 : 1;
  for (const part of selfParts(tree, at, from, to, (to - from) / width)) fill(part.from, part.to, top, barHeight, widthMin / 2);
  context.globalAlpha = 1;
  context.fillStyle = colours.bg;
  for (let part = critical.first[at] as number; part < (critical.first[at + 1] as number); part++) {
    fill(critical.from[part] as number, critical.to[part] as number, height / 2 - 1, 2, 0);
  }
  paintMarks(context, { tree, at, colours, text, x, height });
  if (tree.isPending(at)) {
    context.fillStyle = colours.fg;
    fill(end, end, top - 2, barHeight + 4, 2);
  }
  paintLabel(
    context,
    tree.isPending(at) ? 'running' : duration(milliseconds(end - start)),
    { left: x(start), right: x(end), width, height },
    colours,
  );
}

type Marks = Pick<Bar, 'tree' | 'at' | 'colours' | 'text' | 'height'> & { x: (moment: number) => number };

function paintMarks(context: Context, { tree, at, colours, text, x, height }: Marks): void {
  const start = tree.start[at] as number;
  const firstToken = tree.firstTokenAt(at);
  context.fillStyle = colours.fg;
  if (firstToken !== null) context.fillRect(Math.round(x(start + firstToken)) - 1, (height - barHeight) / 2 - 2, 2, barHeight + 4);
  let last = Number.NEGATIVE_INFINITY;
  for (const us of text?.event_us ?? []) {
    const left = x(start + us / 1000);
    // Dots that would overlap are one dot.
    if (left - last < 3) continue;
    last = left;
    context.beginPath();
    context.arc(left, height / 2 + barHeight / 2 + 2, 1.75, 0, 2 * Math.PI);
    context.fill();
  }
}

interface Place {
  left: number;
  right: number;
  width: number;
  height: number;
}

const widths = new Map<string, number>();
const widthsMax = 5000;

/** Labels repeat from frame to frame, and measuring them takes longer than painting. */
function widthOf(context: Context, words: string): number {
  const known = widths.get(words);
  if (known !== undefined) return known;
  if (widths.size > widthsMax) widths.clear();
  const width = context.measureText(words).width;
  widths.set(words, width);
  return width;
}

/** Behind the bar, or before it where the window ends; a bar outside the window is named at that edge. */
function paintLabel(context: Context, label: string, { left, right, width, height }: Place, colours: Colours): void {
  context.textBaseline = 'middle';
  context.fillStyle = colours['fg-3'];
  const words = right < 0 ? `‹ ${label}` : left > width ? `${label} ›` : label;
  const room = widthOf(context, words);
  const behind = Math.max(4, right + 6);
  if (behind + room <= width) context.fillText(words, behind, height / 2 + 0.5);
  else if (Math.min(left, width) - 6 - room >= 0) context.fillText(words, Math.min(left, width) - 6 - room, height / 2 + 0.5);
}

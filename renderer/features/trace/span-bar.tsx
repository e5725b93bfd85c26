/**
 * A span on the time axis: light for as long as it took, full where it worked itself, a dark line inside where the end of the
 * trace waited for it, a mark at the first token, dots for events. Each row paints itself when the window moves: React takes no part.
 */
import { useCallback, useRef } from 'react';
import type { SpanPreview } from '../../../shared/contract/trace-outline.ts';
import type { CriticalPath } from '../../model/critical-path.ts';
import { duration } from '../../model/format.ts';
import { selfParts } from '../../model/self-parts.ts';
import type { SpanTree } from '../../model/span-tree.ts';
import { ticks } from '../../model/ticks.ts';
import { milliseconds } from '../../model/time.ts';
import { paintOn } from '../../ui/canvas.tsx';
import type { Colours } from '../../ui/token-colours.ts';
import { type Range, type TimeWindow, useDrawn } from './time-window.ts';

const barHeight = 10;
const widthMin = 2;
const font = '11px "Inter Variable", sans-serif';
/** One mark for so many pixels; the axis counts the same way. */
export const tickEvery = 96;

interface SpanBarProps {
  tree: SpanTree;
  at: number;
  critical: CriticalPath;
  window: TimeWindow;
  colours: Colours;
  text: SpanPreview | undefined;
  width: number;
  height: number;
}

export function SpanBar({ tree, at, critical, window, colours, text, width, height }: SpanBarProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const draw = useCallback(() => {
    const given = { tree, at, critical, window, colours, text, width, height };
    paintOn(canvas.current, width, height, (context) => paintBar(context, given, window.range));
  }, [tree, at, critical, window, colours, text, width, height]);
  useDrawn(window, draw);
  return (
    <span aria-hidden="true" className="block">
      <canvas ref={canvas} style={{ width, height }} />
    </span>
  );
}

type Context = CanvasRenderingContext2D;

function paintBar(context: Context, { tree, at, critical, colours, text, width, height }: SpanBarProps, { from, to }: Range): void {
  const x = (moment: number) => ((moment - from) / (to - from)) * width;
  context.fillStyle = colours.line;
  for (const tick of ticks(from, to, Math.max(1, width / tickEvery))) context.fillRect(Math.round(x(tick.at)), 0, 1, height);

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

type Marks = Pick<SpanBarProps, 'tree' | 'at' | 'colours' | 'text' | 'height'> & { x: (moment: number) => number };

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

/** Behind the bar, or before it where the window ends; a bar outside the window is named at that edge. */
function paintLabel(context: Context, label: string, { left, right, width, height }: Place, colours: Colours): void {
  context.font = font;
  context.textBaseline = 'middle';
  context.fillStyle = colours['fg-3'];
  const words = right < 0 ? `‹ ${label}` : left > width ? `${label} ›` : label;
  const room = context.measureText(words).width;
  const behind = Math.max(4, right + 6);
  if (behind + room <= width) context.fillText(words, behind, height / 2 + 0.5);
  else if (Math.min(left, width) - 6 - room >= 0) context.fillText(words, Math.min(left, width) - 6 - room, height / 2 + 0.5);
}

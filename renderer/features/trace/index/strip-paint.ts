/**
 * Paints the overview of a trace in a few lanes, by depth. Spans on the same pixels are painted once, so that a hundred thousand spans take
 * only a few thousand rectangles.
 */
import type { SpanTree } from '../../../model/trace/span-tree.ts';
import type { Colours } from '../../../ui/primitives/token-colours.ts';

export const lanesMax = 6;
const lanePitch = 8;
const laneHeight = 7;
const widthMin = 1.5;
const errorWidthMin = 3;
/** A rectangle that extends a painted one by less than this is skipped. In pixels. */
const invisiblePx = 0.5;

/** A root that contains all other spans has no lane. */
const topDepth = (tree: SpanTree) => (tree.size > 1 && tree.below[0] === tree.size - 1 ? 1 : 0);

export function laneCount(tree: SpanTree): number {
  let deepest = 0;
  for (const depth of tree.depth) if (depth > deepest) deepest = depth;
  return Math.min(lanesMax, Math.max(2, deepest - topDepth(tree) + 1));
}

export const lanesHeight = (lanes: number) => lanes * lanePitch;

export function paintStrip(context: CanvasRenderingContext2D, tree: SpanTree, colours: Colours, width: number, lanes: number): void {
  const scale = width / Math.max(tree.horizon, 1e-6);
  const top = topDepth(tree);
  const paint = (isErrors: boolean) => {
    const reached = new Float64Array(lanes).fill(-1);
    const least = isErrors ? errorWidthMin : widthMin;
    for (let place = 0; place < tree.size; place++) {
      const at = tree.readAt[place] as number;
      const depth = (tree.depth[at] as number) - top;
      if (depth < 0 || tree.isFailed(at) !== isErrors) continue;
      const lane = Math.min(lanes - 1, depth);
      const from = (tree.start[at] as number) * scale;
      const to = Math.max((tree.end[at] as number) * scale, from + least);
      if (from <= (reached[lane] as number) && to <= (reached[lane] as number) + invisiblePx) continue;
      const left = Math.max(from, (reached[lane] as number) - widthMin / 2);
      context.fillStyle = isErrors ? colours.err : colours[tree.kindAt(at)];
      context.globalAlpha = tree.isPending(at) ? 0.5 : 0.9;
      // Leaves a thin gap between neighbours that are wide enough, so that two calls do not look like one.
      context.fillRect(left, lane * lanePitch, Math.max(least / 2, to - left - (to - left > 3 ? 0.75 : 0)), laneHeight);
      reached[lane] = to;
    }
  };
  paint(false);
  if (tree.failedAt.length > 0) paint(true);
  context.globalAlpha = 1;
}

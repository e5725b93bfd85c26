import clsx from 'clsx';
import { useId, useMemo } from 'react';
import type { FillTone, PlotColumn, Scale } from '../../../model/trace/context-plot.ts';
import { toneColours } from './tones.tsx';
import type { Chosen } from './use-chosen.ts';
import type { Layout } from './window-picture.tsx';

interface DrawingProps {
  chosen: Chosen;
  columns: readonly PlotColumn[];
  scale: Scale;
  layout: Layout;
  isArea: boolean;
}

/** Below these widths the gaps between columns would take their place. */
const gapOf = (step: number): number => (step >= 24 ? 3 : step >= 8 ? 1 : 0);

/** The columns. One path for each colour, so that a thousand calls cost no more than a dozen elements. */
export function Drawing({ chosen, columns, scale, layout, isArea }: DrawingProps) {
  const { index, part, by } = chosen;
  const { width, height, step, xOf, yOf, pxPerUnit } = layout;
  const hatch = useId();
  const columnWidth = isArea ? width / Math.max(1, columns.length) : step;
  const gap = isArea ? 0 : gapOf(step);
  const paths = useMemo(() => pathsOf(columns, { columnWidth, gap, height, pxPerUnit }), [columns, columnWidth, gap, height, pxPerUnit]);
  const isLit = part !== null && by === 'tokens' && columns.some(({ pieces }) => pieces.some((piece) => piece.part === part));
  const drawn = { columns, layout, columnWidth, gap };
  return (
    <svg
      role="img"
      aria-label="Columns of the calls; the table below has their figures"
      width={width}
      height={height}
      className="block overflow-visible"
    >
      <defs>
        <pattern id={hatch} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width={6} height={6} className="fill-bg" />
          <rect width={6} height={6} className="fill-accent/45" />
          <rect width={3} height={6} className="fill-accent" />
        </pattern>
      </defs>
      {scale.ticks.map((tick) => (
        <line key={tick} x1={0} x2={width} y1={height - yOf(tick)} y2={height - yOf(tick)} className="stroke-line" />
      ))}
      <rect x={xOf(index)} y={0} width={step} height={height} className="fill-select" />
      {[...paths].map(([tone, d]) => (
        <g key={tone} className={clsx(toneColours[tone], isLit && 'opacity-35')}>
          <path d={d} className="fill-bg" />
          <path d={d} {...(tone === 'entered' ? { fill: `url(#${hatch})` } : { className: 'fill-current' })} />
        </g>
      ))}
      {isLit && <LitPart {...drawn} part={part} hatch={hatch} isArea={isArea} />}
      <OpenTops {...drawn} />
      {scale.hasLimit && <LimitLine limit={chosen.window.limit_tokens ?? 0} layout={layout} />}
    </svg>
  );
}

interface DrawnProps {
  columns: readonly PlotColumn[];
  layout: Layout;
  columnWidth: number;
  gap: number;
}

/** The chosen part in each column. */
function LitPart({
  columns,
  layout: { height, yOf },
  columnWidth,
  gap,
  part,
  hatch,
  isArea,
}: DrawnProps & { part: number; hatch: string; isArea: boolean }) {
  return columns.map(({ call, pieces }, at) => {
    const piece = pieces.find((each) => each.part === part);
    if (!piece) return null;
    const { tone, low, high } = piece;
    return (
      <rect
        key={call}
        x={at * columnWidth + gap}
        y={height - yOf(high)}
        width={Math.max(0.5, columnWidth - 2 * gap)}
        height={Math.max(1, yOf(high) - yOf(low))}
        className={clsx(toneColours[tone], !isArea && 'stroke-fg')}
        fill={tone === 'entered' ? `url(#${hatch})` : 'currentColor'}
      />
    );
  });
}

const openPx = 14;

/** The column of a call that runs has no upper end. */
function OpenTops({ columns, layout: { height, yOf }, columnWidth, gap }: DrawnProps) {
  return columns.map(({ call, total, isRunning }, at) => {
    if (!isRunning) return null;
    const [left, right, top] = [at * columnWidth + gap, (at + 1) * columnWidth - gap, height - yOf(total) - openPx];
    return (
      <path key={call} d={`M${left} ${height}V${top}M${right} ${height}V${top}`} className="fill-none stroke-ok" strokeDasharray="3 3" />
    );
  });
}

const LimitLine = ({ limit, layout: { width, height, yOf } }: { limit: number; layout: Layout }) => (
  <line x1={0} x2={width} y1={height - yOf(limit)} y2={height - yOf(limit)} strokeDasharray="4 3" className="stroke-err-line" />
);

/** A hairline separates neighbours of different colours, unless they are too many to be told apart. */
const seamPx = 1;
const piecePxMin = 6;

interface Geometry {
  columnWidth: number;
  gap: number;
  height: number;
  pxPerUnit: number;
}

function pathsOf(columns: readonly PlotColumn[], { columnWidth, gap, height, pxPerUnit }: Geometry): Map<FillTone, string> {
  const paths = new Map<FillTone, string>();
  const width = Math.max(0.5, columnWidth - 2 * gap);
  for (const [at, { pieces, total }] of columns.entries()) {
    const seam = pieces.length * piecePxMin < total * pxPerUnit ? seamPx : 0;
    for (let from = 0; from < pieces.length; ) {
      const tone = pieces[from]?.tone as FillTone;
      let to = from;
      while (pieces[to + 1]?.tone === tone) to++;
      const low = (pieces[from]?.low ?? 0) * pxPerUnit;
      const size = (pieces[to]?.high ?? 0) * pxPerUnit - low;
      const [x, y, h] = [at * columnWidth + gap, height - low, size > 3 * seam ? size - seam : size].map((value) => value.toFixed(2));
      const d = `M${x} ${y}h${width.toFixed(2)}v-${h}h-${width.toFixed(2)}z`;
      paths.set(tone, (paths.get(tone) ?? '') + d);
      from = to + 1;
    }
  }
  return paths;
}

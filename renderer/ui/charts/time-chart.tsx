import clsx from 'clsx';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { when } from '../../model/time/time.ts';
import { ChartTitle } from './bar-chart.tsx';
import { AxisMarks } from './time-axis-marks.tsx';
import { Columns, chartHeight, Lines, type Series, tones } from './time-series.tsx';
import { TimeTable } from './time-table.tsx';

interface TimeChartProps {
  title: string;
  /** Its sum, or what sums it up. */
  value?: string;
  /** Beside the legend. */
  action?: ReactNode;
  /** Start of each step, and the end of the last (epoch ms): one more than there are values. */
  edges: readonly number[];
  series: readonly Series[];
  /** Columns are stacked; lines are not. */
  form: 'columns' | 'lines';
  format: (value: number) => string;
  /** Stretches of time to shade (epoch ms). */
  marked?: readonly { from: number; to: number }[];
  /** Called with the first and last selected step, both included. */
  onBrush?: (from: number, to: number) => void;
}

const topOf = ({ series, form }: Pick<TimeChartProps, 'series' | 'form'>): number => {
  const steps = series[0]?.values.length ?? 0;
  const at = (i: number) => series.map(({ values }) => values[i] ?? 0);
  const tops = Array.from({ length: steps }, (_, i) => (form === 'columns' ? at(i).reduce((a, b) => a + b, 0) : Math.max(0, ...at(i))));
  return Math.max(0, ...tops);
};

/** Numbers over time. A range is selected by dragging, or by arrow keys with Shift and Enter. A table has the same numbers. */
export function TimeChart(props: TimeChartProps) {
  const { title, edges, series, form, format } = props;
  const steps = edges.length - 1;
  const top = topOf(props);
  const [at, setAt] = useState<number | null>(null);
  const [from, setFrom] = useState<number | null>(null);
  const stepOf = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return Math.min(steps - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * steps)));
  };
  const finish = (to: number | null) => {
    if (from !== null && to !== null) props.onBrush?.(Math.min(from, to), Math.max(from, to));
    setFrom(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const delta = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (delta !== undefined) {
      const next = Math.min(steps - 1, Math.max(0, (at ?? (delta > 0 ? -1 : steps)) + delta));
      setFrom(event.shiftKey ? (from ?? at ?? next) : null);
      setAt(next);
    } else if (event.key === 'Enter' && at !== null) {
      props.onBrush?.(Math.min(from ?? at, at), Math.max(from ?? at, at));
      setFrom(null);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <figure className="min-w-0">
      <ChartTitle title={title} value={props.value}>
        <Legend series={series} at={at} edges={edges} format={format} />
        {props.action}
      </ChartTitle>
      {/* Above the chart, not in it: the first column may be the highest. */}
      <div className="h-lh text-fg-3 text-key tabular-nums">{top > 0 && format(top)}</div>
      <svg
        role="application"
        aria-label={`${title}, over time. ${props.onBrush ? 'Arrow keys move, Shift selects, Enter opens the traces' : 'Arrow keys move'}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a range of the chart can be selected by keyboard
        tabIndex={0}
        viewBox={`0 0 ${steps} ${chartHeight}`}
        preserveAspectRatio="none"
        className="block h-chart w-full touch-none cursor-crosshair"
        onKeyDown={onKeyDown}
        onBlur={() => setAt(null)}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setFrom(stepOf(event));
        }}
        onPointerMove={(event) => setAt(stepOf(event))}
        onPointerUp={(event) => finish(stepOf(event))}
        onPointerCancel={() => setFrom(null)}
        onPointerLeave={() => from === null && setAt(null)}
      >
        <line x1={0} x2={steps} y1={0} y2={0} className="stroke-line" vectorEffect="non-scaling-stroke" />
        <line x1={0} x2={steps} y1={chartHeight / 2} y2={chartHeight / 2} className="stroke-line" vectorEffect="non-scaling-stroke" />
        <Marked stretches={props.marked ?? []} edges={edges} />
        {at !== null && (
          <rect x={Math.min(from ?? at, at)} width={Math.abs((from ?? at) - at) + 1} height={chartHeight} className="fill-select" />
        )}
        {form === 'columns' ? <Columns series={series} top={top} steps={steps} /> : <Lines series={series} top={top} />}
        <line x1={0} x2={steps} y1={chartHeight} y2={chartHeight} className="stroke-line-2" vectorEffect="non-scaling-stroke" />
      </svg>
      <AxisMarks edges={edges} />
      <TimeTable title={title} edges={edges} series={series} format={format} />
    </figure>
  );
}

function Marked({ stretches, edges }: { stretches: readonly { from: number; to: number }[]; edges: readonly number[] }) {
  const [start = 0, second = 1] = edges;
  const stepOf = (ms: number) => Math.min(edges.length - 1, Math.max(0, (ms - start) / (second - start)));
  return stretches.map(({ from, to }) => (
    // A short stretch is seen too.
    <rect
      key={from}
      x={stepOf(from)}
      width={Math.max(0.5, stepOf(to) - stepOf(from))}
      height={chartHeight}
      className="pointer-events-none fill-err-bg"
    />
  ));
}

function Legend({ series, at, edges, format }: Pick<TimeChartProps, 'series' | 'edges' | 'format'> & { at: number | null }) {
  const startMs = at === null ? undefined : edges[at];
  const value = (values: Series['values']): ReactNode => {
    const current = at === null ? undefined : values[at];
    return current === null || current === undefined ? '' : ` ${format(current)}`;
  };
  return (
    <span className="ml-auto flex min-w-0 items-center gap-3 overflow-hidden whitespace-nowrap text-label tabular-nums">
      {startMs !== undefined && <span className="text-fg-3">{when(new Date(startMs).toISOString())}</span>}
      {series.map(({ name, tone, values, isDashed }) => (
        <span key={name} className="flex items-center gap-1 text-fg-2">
          <span
            aria-hidden="true"
            className={clsx(isDashed ? 'w-3 border-current border-t border-dashed' : 'size-1.5 rounded-full bg-current', tones[tone])}
          />
          <span className="max-w-(--width-name) truncate">{name}</span>
          {value(values)}
        </span>
      ))}
    </span>
  );
}

import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import { type PointerEvent, type ReactNode, useState } from 'react';
import type { ActivityTrace } from '../../../shared/contract/viewer/activity.ts';
import { count, duration, plural } from '../../model/text/format.ts';
import { milliseconds } from '../../model/time/time.ts';
import { ChartTitle } from '../../ui/charts/bar-chart.tsx';
import { AxisMarks } from '../../ui/charts/time-axis-marks.tsx';
import { durationOf, kindOf, kindWords, type MarkKind, markTitle, outlierOf, scaleOf } from './marks.ts';
import { edgesOf, type Period } from './period.ts';
import { TraceTable } from './trace-table.tsx';

const kinds = ['failed', 'inside', 'fine', 'running'] as const;

/** Told apart by their shape as well. */
const shapes: Record<MarkKind, string> = {
  failed: 'rotate-45 bg-err',
  inside: 'rounded-full border-2 border-err',
  fine: 'rounded-full bg-fg-3',
  running: 'rounded-full border-2 border-ok',
};

interface TraceMarksProps {
  traces: readonly ActivityTrace[];
  period: Period;
  action: ReactNode;
  onBrush: (time: Pick<Period, 'from' | 'to'>) => void;
}

/** Each trace as a mark by its start and duration, which opens it. */
export function TraceMarks({ traces, period, action, onBrush }: TraceMarksProps) {
  const { top, above } = scaleOf(traces.map(({ duration_ms }) => duration_ms));
  const outlier = outlierOf(traces);
  const present = kinds.filter((kind) => traces.some((trace) => kindOf(trace) === kind));
  const time = (ms: number) => duration(milliseconds(ms));
  return (
    <figure className="min-w-0 split:col-span-2">
      <ChartTitle title="Every trace, by duration" value={count(traces.length)}>
        <span className="ml-auto flex items-center gap-3 text-label">
          {present.map((kind) => (
            <span key={kind} className="flex items-center gap-1 text-fg-2">
              <span aria-hidden="true" className={clsx('size-1.5', shapes[kind])} />
              {kindWords[kind]}
            </span>
          ))}
        </span>
        {action}
      </ChartTitle>
      <div className="h-lh text-fg-3 text-key tabular-nums">
        {time(top)}
        {above > 0 && ` · ${plural(above, 'trace')} above`}
      </div>
      <Field period={period} onBrush={onBrush}>
        {traces.map((trace) => (
          <Mark key={trace.id} trace={trace} period={period} top={top} isNamed={trace === outlier} />
        ))}
      </Field>
      <AxisMarks edges={edgesOf(period)} />
      <TraceTable traces={traces} />
    </figure>
  );
}

/** The area of the marks. Dragging across it selects a stretch of time. */
function Field({ period: { from, to }, onBrush, children }: Pick<TraceMarksProps, 'period' | 'onBrush'> & { children: ReactNode }) {
  const [drag, setDrag] = useState<readonly [from: number, to: number] | null>(null);
  const shareOf = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
  };
  const at = (share: number) => Math.round(from + (to - from) * share);
  const [low, high] = drag ? [Math.min(...drag), Math.max(...drag)] : [0, 0];
  return (
    <div
      className="relative h-chart cursor-crosshair touch-none border-line border-t border-b border-b-line-2"
      onPointerDown={(event) => {
        if ((event.target as HTMLElement).closest('a')) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag([shareOf(event), shareOf(event)]);
      }}
      onPointerMove={(event) => drag && setDrag([drag[0], shareOf(event)])}
      onPointerCancel={() => setDrag(null)}
      onPointerUp={() => {
        if (drag && high - low > 0.005) onBrush({ from: at(low), to: at(high) });
        setDrag(null);
      }}
    >
      <div className="pointer-events-none absolute inset-x-0 top-1/2 border-line border-t" />
      {drag && <div className="absolute inset-y-0 bg-select" style={{ left: `${low * 100}%`, width: `${(high - low) * 100}%` }} />}
      {children}
    </div>
  );
}

function Mark({ trace, period: { from, to }, top, isNamed }: { trace: ActivityTrace; period: Period; top: number; isNamed: boolean }) {
  const x = Math.min(1, Math.max(0, (trace.at - from) / (to - from)));
  const y = top === 0 ? 0 : Math.min(1, trace.duration_ms / top);
  return (
    <>
      <Link
        to="/traces/$traceId"
        params={{ traceId: trace.id }}
        // The table has the same links, and they are in order there.
        tabIndex={-1}
        title={markTitle(trace)}
        aria-label={markTitle(trace)}
        className="group absolute grid size-3 -translate-x-1/2 translate-y-1/2 place-items-center hover:z-10"
        style={{ left: `${x * 100}%`, bottom: `${y * 100}%` }}
      >
        <span className={clsx('size-2 group-hover:scale-150', shapes[kindOf(trace)])} />
      </Link>
      {isNamed && (
        <span
          aria-hidden="true"
          className={clsx(
            'pointer-events-none absolute max-w-form translate-y-1/2 truncate px-2 text-fg-2 text-key',
            x > 0.5 && '-translate-x-full',
          )}
          style={{ left: `${x * 100}%`, bottom: `${y * 100}%` }}
        >
          {`${trace.name}, ${durationOf(trace)}`}
        </span>
      )}
    </>
  );
}

import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import type { ActivityTrace } from '../../../shared/contract/viewer/activity.ts';
import { tokens } from '../../model/text/format.ts';
import { axisLabel } from '../../model/time/over-time.ts';
import { ChartTitle } from '../../ui/charts/bar-chart.tsx';
import { tones } from '../../ui/charts/time-series.tsx';

const parts = [
  { name: 'output', tone: 'llm', read: ({ output_tokens }: ActivityTrace) => output_tokens },
  {
    name: 'input',
    tone: 'accent',
    read: ({ input_tokens, cache_read_tokens }: ActivityTrace) => Math.max(0, input_tokens - cache_read_tokens),
  },
  { name: 'from cache', tone: 'cached', read: ({ cache_read_tokens }: ActivityTrace) => cache_read_tokens },
] as const;

const totalOf = (trace: ActivityTrace) => parts.reduce((sum, { read }) => sum + read(trace), 0);

/** The tokens of each trace that has any, in order of their start, as a bar that opens it. */
export function TokenBars({ traces, action }: { traces: readonly ActivityTrace[]; action: ReactNode }) {
  const shown = traces.filter((trace) => totalOf(trace) > 0);
  const top = Math.max(1, ...shown.map(totalOf));
  const [first, last] = [shown[0]?.at ?? 0, shown.at(-1)?.at ?? 0];
  return (
    <figure className="min-w-0">
      <ChartTitle title="Tokens, trace by trace" value={tokens(shown.reduce((sum, trace) => sum + totalOf(trace), 0))}>
        <span className="ml-auto flex items-center gap-3 text-label">
          {parts.toReversed().map(({ name, tone }) => (
            <span key={name} className="flex items-center gap-1 text-fg-2">
              <span aria-hidden="true" className={clsx('size-1.5 rounded-full bg-current', tones[tone])} />
              {name}
            </span>
          ))}
        </span>
        {action}
      </ChartTitle>
      <div className="h-lh text-fg-3 text-key tabular-nums">{shown.length > 0 && tokens(top)}</div>
      <div className="flex h-chart items-end gap-px border-line border-t border-b border-b-line-2">
        {shown.map((trace) => (
          <TraceBar key={trace.id} trace={trace} top={top} />
        ))}
      </div>
      <div aria-hidden="true" className="flex justify-between pt-0.5 text-fg-3 text-key tabular-nums">
        <span>{shown.length > 0 && axisLabel(first, Math.max(1, last - first))}</span>
        <span>{shown.length > 1 && axisLabel(last, Math.max(1, last - first))}</span>
      </div>
    </figure>
  );
}

function TraceBar({ trace, top }: { trace: ActivityTrace; top: number }) {
  const title = `${trace.name}: ${parts.map(({ name, read }) => `${tokens(read(trace))} ${name}`).join(', ')}`;
  return (
    <Link
      to="/traces/$traceId"
      params={{ traceId: trace.id }}
      // The table of the traces has the same links.
      tabIndex={-1}
      title={title}
      aria-label={title}
      className="flex h-full min-w-0 max-w-header flex-1 flex-col justify-end hover:bg-hover"
    >
      {parts.map(({ name, tone, read }) => (
        <span key={name} className={clsx('bg-current', tones[tone])} style={{ height: `${(read(trace) / top) * 100}%` }} />
      ))}
    </Link>
  );
}

/**
 * Traces over time: one bar for each time step, failed traces in red, those with errors inside in half red. Dragging selects a time range.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type PointerEvent, useMemo, useRef, useState } from 'react';
import { gateway } from '../../api/client.ts';
import { useFollow } from '../../api/queries.ts';
import { count, plural } from '../../model/text/format.ts';
import { type Bar, barAt, barsOf, brushedRange, timeLabels } from '../../model/time/over-time.ts';
import { exactly } from '../../model/time/time.ts';
import { rangeLabel } from '../../model/time/time-range.ts';
import { listKeyOf, narrowingOf, type TracesView } from './url.ts';

const buckets = 120;
const labelsMax = 8;
const always = () => true;

function useBars(view: TracesView, isEnabled: boolean): { bars: readonly Bar[]; earlier: number } {
  const { sort_by: _by, sort_order: _order, ...narrowing } = view;
  const key = listKeyOf(narrowing);
  const queryKey = useMemo(() => ['traces', 'over-time', key], [key]);
  useFollow(queryKey, always);
  const { data } = useQuery({
    queryKey,
    enabled: isEnabled,
    queryFn: async () => (await gateway.traceList.overTime({ query: { ...narrowingOf(narrowing, Date.now()), buckets } })).data,
    placeholderData: keepPreviousData,
  });
  return useMemo(() => (data ? { bars: barsOf(data), earlier: data.earlier } : { bars: [], earlier: 0 }), [data]);
}

interface StripProps {
  view: TracesView;
  isEnabled: boolean;
  onRange: (range: { from: number; to: number }) => void;
}

export function OverTimeStrip({ view, isEnabled, onRange }: StripProps) {
  const { bars, earlier } = useBars(view, isEnabled);
  const host = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<number | null>(null);
  const [from, setFrom] = useState<number | null>(null);
  const shareOf = (event: PointerEvent) => {
    const box = host.current?.getBoundingClientRect();
    return box ? (event.clientX - box.left) / box.width : 0;
  };
  const selected = from === null || at === null ? null : brushedRange(bars, from, at);
  const hovered = at === null ? undefined : barAt(bars, at);
  return (
    <section aria-label="Traces over time" className="flex shrink-0 gap-2 border-line border-b px-pad pt-1.5 pb-1">
      {earlier > 0 && <Earlier traces={earlier} onShow={() => onRange({ from: 0, to: bars[0]?.from ?? 0 })} />}
      <div className="min-w-0 flex-1">
        <div
          ref={host}
          className="relative h-10 cursor-crosshair touch-none"
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            setFrom(shareOf(event));
            setAt(shareOf(event));
          }}
          onPointerMove={(event) => setAt(shareOf(event))}
          onPointerLeave={() => from === null && setAt(null)}
          onPointerUp={() => {
            if (selected) onRange(selected);
            setFrom(null);
            setAt(null);
          }}
          onPointerCancel={() => setFrom(null)}
        >
          <Bars bars={bars} />
          {selected && <Brush bars={bars} {...selected} />}
          {hovered && <Readout bar={selected ? total(bars, selected) : hovered} share={at ?? 0} />}
        </div>
        <Labels bars={bars} />
      </div>
    </section>
  );
}

/** Count of the traces before the start of the axis. */
const Earlier = ({ traces, onShow }: { traces: number; onShow: () => void }) => (
  <button
    type="button"
    title="Show older traces"
    onClick={onShow}
    className="h-10 shrink-0 rounded-control bg-raised px-2 text-fg-3 text-label tabular-nums leading-tight hover:text-fg"
  >
    {`← ${count(traces)}`}
    <br />
    earlier
  </button>
);

/** Bars keep their positions while counts load, so that nothing moves under the pointer. */
const Bars = ({ bars }: { bars: readonly Bar[] }) => (
  <svg aria-hidden="true" className="absolute inset-0 size-full" viewBox={`0 0 ${Math.max(1, bars.length)} 1`} preserveAspectRatio="none">
    {bars.map(({ from, height, errorHeight, errorsInsideHeight }, i) => (
      <g key={from}>
        <rect x={i + 0.12} width={0.76} y={1 - height} height={height} className="fill-fg-3 opacity-60" />
        <rect
          x={i + 0.12}
          width={0.76}
          y={Math.max(0, 1 - errorHeight - errorsInsideHeight)}
          height={errorsInsideHeight}
          className="fill-err opacity-50"
        />
        <rect x={i + 0.12} width={0.76} y={1 - errorHeight} height={errorHeight} className="fill-err" />
      </g>
    ))}
    <rect x={0} width={Math.max(1, bars.length)} y={0.985} height={0.015} className="fill-line" />
  </svg>
);

function Brush({ bars, from, to }: { bars: readonly Bar[]; from: number; to: number }) {
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return null;
  const share = (ms: number) => `${(100 * (ms - first.from)) / (last.to - first.from)}%`;
  return (
    <span
      className="pointer-events-none absolute inset-y-0 rounded-kind border border-accent bg-select"
      style={{ left: share(from), width: share(first.from + to - from) }}
    />
  );
}

const total = (bars: readonly Bar[], { from, to }: { from: number; to: number }) => {
  const inside = bars.filter((bar) => bar.from >= from && bar.to <= to);
  const sum = (of: 'count' | 'errors' | 'errorsInside') => inside.reduce((acc, bar) => acc + bar[of], 0);
  return { from, to, count: sum('count'), errors: sum('errors'), errorsInside: sum('errorsInside') };
};

function Readout({ bar, share }: { bar: ReturnType<typeof total>; share: number }) {
  return (
    <div
      title={exactly(new Date(bar.from).toISOString())}
      className="pointer-events-none absolute top-0 z-10 flex gap-2 whitespace-nowrap rounded-control border border-line-2 bg-panel px-2 py-0.5 text-label shadow-layer"
      style={share > 0.5 ? { right: `${100 * (1 - share)}%` } : { left: `${100 * share}%` }}
    >
      <span className="text-fg-3 tabular-nums">{rangeLabel({ from: bar.from, to: bar.to })}</span>
      <span className="tabular-nums">{plural(bar.count, 'trace')}</span>
      {bar.errors > 0 && <span className="text-err tabular-nums">{`${count(bar.errors)} failed`}</span>}
      {bar.errorsInside > 0 && <span className="text-err tabular-nums">{`${count(bar.errorsInside)} with errors inside`}</span>}
    </div>
  );
}

const Labels = ({ bars }: { bars: readonly Bar[] }) => (
  <div aria-hidden="true" className="relative h-3.5 overflow-hidden text-fg-3 text-key tabular-nums">
    {timeLabels(bars, labelsMax).map(({ share, text }) => (
      <span key={share} className="absolute top-0.5 whitespace-nowrap" style={{ left: `${share * 100}%` }}>
        {text}
      </span>
    ))}
  </div>
);

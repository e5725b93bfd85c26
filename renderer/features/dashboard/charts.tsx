import { PinOff } from 'lucide-react';
import { TimeChart } from '../../ui/charts/time-chart.tsx';
import { IconButton } from '../../ui/primitives/button.tsx';
import { Icon } from '../../ui/primitives/icon.tsx';
import type { Shown } from './activity-query.ts';
import { addedUpCost, type ChartData, type ChartId, chartOf, chartTitles } from './chart-data.ts';
import { useOpenTraces } from './open-traces.ts';
import { edgesOf } from './period.ts';
import { TokenBars } from './token-bars.tsx';
import { TraceMarks } from './trace-marks.tsx';

/** More bars than this are too thin to point at. */
const barsMax = 200;

interface ChartsProps {
  data: Shown;
  pinned: readonly ChartId[];
  onUnpin: (id: ChartId) => void;
}

/** The pinned charts. Few traces are drawn one by one. Dragging across a chart opens the traces of that time. */
export function Charts({ data, pinned, onUnpin }: ChartsProps) {
  const { shown, view } = data;
  const open = useOpenTraces(view);
  const { traces } = data.activity;
  const edges = edgesOf(shown);
  const unpin = (id: ChartId) => (
    <IconButton label={`Unpin ${chartTitles[id]}`} onClick={() => onUnpin(id)}>
      <Icon of={PinOff} size="small" />
    </IconButton>
  );
  const ids = traces ? pinned.filter((id) => id !== 'latency' || !pinned.includes('traces')) : pinned;
  const chart = (id: ChartId, { filter, ...drawn }: ChartData) => (
    <TimeChart
      key={id}
      {...drawn}
      edges={edges}
      action={unpin(id)}
      onBrush={(first, last) => open({ from: edges[first] ?? shown.from, to: edges[last + 1] ?? shown.to }, filter)}
    />
  );
  return (
    <div className="grid gap-x-6 gap-y-3 px-pad py-2 split:grid-cols-2">
      {ids.map((id) => {
        if (traces && (id === 'traces' || id === 'latency'))
          return <TraceMarks key="marks" traces={traces} period={shown} action={unpin(id)} onBrush={(time) => open(time)} />;
        if (traces && id === 'cost') return chart(id, addedUpCost(data));
        if (traces && id === 'tokens' && traces.length <= barsMax) return <TokenBars key={id} traces={traces} action={unpin(id)} />;
        return chart(id, chartOf(id, data));
      })}
    </div>
  );
}

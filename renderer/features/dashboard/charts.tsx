import { useNavigate } from '@tanstack/react-router';
import type { ActivityBucket } from '../../../shared/contract/viewer/viewer-statistics.ts';
import { cost, count, duration, tokens } from '../../model/text/format.ts';
import { milliseconds } from '../../model/time/time.ts';
import { TimeChart } from '../../ui/charts/time-chart.tsx';
import { edgesOf, type Span } from './activity.ts';

const time = (ms: number) => duration(milliseconds(ms));

/** Charts of traffic, latency, tokens and cost. Dragging across a chart opens the traces of that time. */
export function Charts({ steps, span }: { steps: readonly (ActivityBucket | null)[]; span: Span }) {
  const navigate = useNavigate();
  const edges = edgesOf(span);
  const of = (read: (bucket: ActivityBucket) => number | null) => steps.map((step) => (step ? read(step) : null));
  const onBrush = (first: number, last: number) =>
    void navigate({ to: '/traces', search: { from: edges[first] ?? span.from, to: edges[last + 1] ?? span.to } });
  const shared = { edges, onBrush };
  return (
    <div className="grid gap-x-6 gap-y-3 px-pad py-2 split:grid-cols-2">
      <TimeChart
        {...shared}
        title="Traces"
        form="columns"
        format={count}
        series={[
          { name: 'Failed', tone: 'err', values: of(({ errors }) => errors) },
          { name: 'Other', tone: 'accent', values: of(({ traces, errors }) => traces - errors) },
        ]}
      />
      <TimeChart
        {...shared}
        title="Trace latency"
        form="lines"
        format={time}
        series={[
          { name: 'p99', tone: 'quiet', values: of(({ p99_ms }) => p99_ms) },
          { name: 'p95', tone: 'warm', values: of(({ p95_ms }) => p95_ms) },
          { name: 'p50', tone: 'accent', values: of(({ p50_ms }) => p50_ms) },
        ]}
      />
      <TimeChart
        {...shared}
        title="Tokens"
        form="columns"
        format={tokens}
        series={[
          { name: 'Input', tone: 'quiet', values: of(({ input_tokens }) => input_tokens) },
          { name: 'Output', tone: 'accent', values: of(({ output_tokens }) => output_tokens) },
        ]}
      />
      <TimeChart
        {...shared}
        title="Cost"
        form="columns"
        format={cost}
        series={[{ name: 'Cost', tone: 'accent', values: of(({ cost: usd }) => usd) }]}
      />
    </div>
  );
}

import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ActivityBucket } from '../../../shared/contract/viewer/viewer-statistics.ts';
import { asFailure } from '../../api/failure.ts';
import { cost, count, percent, tokens } from '../../model/text/format.ts';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FactsLine } from '../../ui/primitives/facts-line.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { Segmented } from '../../ui/primitives/segmented.tsx';
import { SkeletonCards } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { groupTotals, sumOf } from './activity.ts';
import { useActivity } from './activity-query.ts';
import { Charts } from './charts.tsx';
import { GroupTable } from './group-table.tsx';
import { type DashboardView, ranges, readDashboardUrl } from './url.ts';

const route = getRouteApi('/dashboard');

const rangeChoices = ranges.map((id) => ({ id, label: id.replace(/(\d+)(\w)/, '$1 $2') }));
const byChoices = [
  { id: 'model', label: 'By model' },
  { id: 'prompt', label: 'By prompt' },
] as const;

export function DashboardScreen() {
  const view = route.useSearch();
  const navigate = useNavigate();
  const show = (change: Partial<DashboardView>) =>
    void navigate({ to: '/dashboard', search: readDashboardUrl({ ...view, ...change }), replace: true });
  const by = view.by ?? 'model';
  const { query, span, steps, isPartial } = useActivity({ range: view.range, by });
  return (
    <>
      <title>Dashboard · Glasshouse</title>
      <ScreenHeader title="Dashboard">
        <Segmented
          label="Time range"
          options={rangeChoices}
          value={view.range ?? '24h'}
          onChange={(range) => show({ range: range === '24h' ? undefined : range })}
        />
        <Segmented
          label="Group model calls"
          options={byChoices}
          value={by}
          onChange={(next) => show({ by: next === 'prompt' ? next : undefined })}
        />
        <Text tone="dim" cut className="ml-auto" title="All traces, not sampled">
          {isPartial ? 'Loading, newest first…' : 'Drag across a chart to open its traces'}
        </Text>
      </ScreenHeader>
      {query.isError && !query.data ? (
        <FailedState failure={asFailure(query.error, 'The dashboard could not be loaded')} onRetry={() => void query.refetch()} />
      ) : !steps ? (
        <div className="p-pad">
          <SkeletonCards label="Loading the dashboard" />
        </div>
      ) : sumOf(steps, 'traces') === 0 && !isPartial ? (
        <EmptyState
          title="No traces in this time range"
          action={
            <Link to="/setup" className="text-accent text-body hover:underline">
              Send a trace
            </Link>
          }
        >
          Choose a longer time range, or send traces: they are counted here as they arrive.
        </EmptyState>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        <section aria-label="Activity" tabIndex={0} className="min-h-0 flex-1 overflow-y-auto">
          <Facts steps={steps} />
          <Charts steps={steps} span={span} />
          <GroupTable by={by} groups={groupTotals(steps)} span={span} />
        </section>
      )}
    </>
  );
}

function Facts({ steps }: { steps: readonly (ActivityBucket | null)[] }) {
  const [traces, usd] = [sumOf(steps, 'traces'), sumOf(steps, 'cost')];
  const [errors, inside] = [sumOf(steps, 'errors'), sumOf(steps, 'errors_inside')];
  return (
    <FactsLine
      facts={[
        ['Traces', count(traces)],
        ['Failed', errors > 0 ? `${count(errors)}, ${percent(errors / traces)}` : '0'],
        ['Errors inside', inside > 0 ? `${count(inside)}, ${percent(inside / traces)}` : '0'],
        ['Spans', count(sumOf(steps, 'spans'))],
        ['Tokens', `${tokens(sumOf(steps, 'input_tokens'))} → ${tokens(sumOf(steps, 'output_tokens'))}`],
        ['Cost', usd > 0 ? cost(usd) : '—'],
      ]}
    />
  );
}

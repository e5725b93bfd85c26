import type { ActivityBreakdown } from '../../../shared/contract/viewer/activity-shape.ts';
import { activityBreakdowns } from '../../../shared/contract/viewer/activity-shape.ts';
import { when } from '../../model/time/time.ts';
import { FigureList } from '../../ui/primitives/figure-list.tsx';
import { Segmented } from '../../ui/primitives/segmented.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import type { Shown } from './activity-query.ts';
import { breakdowns } from './breakdown.ts';
import { BreakdownTable } from './breakdown-table.tsx';
import type { ChartId } from './chart-data.ts';
import { Charts } from './charts.tsx';
import { fewMax, figuresOf } from './comparison.ts';
import { FindingList } from './finding-list.tsx';
import { NothingYet } from './nothing-yet.tsx';
import { beforeWords } from './period.ts';
import type { DashboardView } from './url.ts';

const choices = activityBreakdowns.map((id) => ({ id, label: breakdowns[id].label }));
const at = (ms: number) => when(new Date(ms).toISOString());

interface OverviewProps {
  /** Of the page. */
  view: DashboardView;
  data: Shown;
  updatedAt: number;
  pinned: readonly ChartId[];
  onPinned: (pinned: readonly ChartId[]) => void;
  onBy: (by: ActivityBreakdown) => void;
  onFilter: (filter: string | undefined) => void;
}

/** Figures, what needs a look, charts and the breakdown. */
export function Overview({ view: requested, data, updatedAt, pinned, onPinned, onBy, onFilter }: OverviewProps) {
  const { activity, before, view } = data;
  if (activity.totals.traces === 0) return <NothingYet view={view} isWhole={activity.is_whole} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section aria-label="Activity" tabIndex={0} className="min-h-0 flex-1 overflow-y-auto">
      <FigureList label="Figures" figures={figuresOf(activity.totals, before?.totals ?? null, beforeWords(view))} />
      <Limits data={data} />
      <div className="grid sidebar:grid-cols-[minmax(0,1fr)_var(--spacing-form)]">
        <FindingList data={data} updatedAt={updatedAt} />
        <div className="min-w-0 border-line max-sidebar:border-t sidebar:-order-1 sidebar:border-r">
          <Charts data={data} pinned={pinned} onUnpin={(id) => onPinned(pinned.filter((other) => other !== id))} />
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-pad py-1.5">
            <Text size="label" tone="dim">
              Break down by
            </Text>
            <Segmented label="Break down by" options={choices} value={requested.by ?? 'model'} onChange={onBy} />
            <Text size="label" tone="dim" cut className="ml-auto">
              {changeWords(data)}
            </Text>
          </div>
          <BreakdownTable data={data} onFilter={onFilter} />
        </div>
      </div>
    </section>
  );
}

/** What was left out of the figures or of the charts. */
function Limits({ data: { activity, period, shown } }: { data: Shown }) {
  const lines = [
    ...(activity.is_whole || activity.counted_from === null
      ? []
      : [
          `Only the newest traces are counted, those since ${at(activity.counted_from)}: counting all would have taken too long. They are not compared. Narrow the time range.`,
        ]),
    ...(shown === period ? [] : [`There is nothing before ${at(shown.from)} in this time; the charts begin there.`]),
  ];
  return lines.map((line) => (
    <p key={line} className="border-line border-b px-pad py-1 text-fg-3 text-label">
      {line}
    </p>
  ));
}

function changeWords({ before, view }: Shown): string {
  if (!before) return '';
  const words = beforeWords(view);
  if (before.totals.traces > fewMax) return `Change: against ${words}`;
  const had = `${words.charAt(0).toUpperCase()}${words.slice(1)} had ${before.totals.traces} ${before.totals.traces === 1 ? 'trace' : 'traces'}`;
  return `${had}: too few to compare`;
}

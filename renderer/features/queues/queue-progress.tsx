import type { QueueProgress as Progress } from '../../../shared/contract/evaluation/queue-progress.ts';
import { asFailure } from '../../api/failure.ts';
import { useMemberNames } from '../../api/members.ts';
import { count, plural } from '../../model/text/format.ts';
import { ChartTitle, Histogram } from '../../ui/charts/bar-chart.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { FigureList } from '../../ui/primitives/figure-list.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { useProgress } from './assignment-query.ts';
import { reviewerName } from './item-columns.tsx';
import type { Queue } from './queues-query.ts';

/** How far a queue is, who reviewed how much, and when. */
export function QueueProgress({ queue }: { queue: Queue }) {
  const progress = useProgress(queue.id);
  if (!progress.data)
    return progress.isError ? (
      <FailedState failure={asFailure(progress.error, 'The progress could not be loaded')} onRetry={() => void progress.refetch()} />
    ) : (
      <SkeletonRows label="Loading the progress" />
    );
  const { days, reviewers, items_counted } = progress.data;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <FigureList label="Items" figures={figuresOf(queue.progress)} />
      <div className="grid gap-4 p-pad">
        <section className="grid gap-2">
          <ChartTitle title="Reviews in the last 14 days, in UTC" value={count(sumOf(days))} />
          <Histogram
            label="Reviews by day"
            bars={days.map(({ date, completed, skipped }) => ({ label: date, value: completed + skipped }))}
            noun="reviews"
          />
          <Text as="div" size="label" tone="quiet" className="flex justify-between">
            <span>{days[0]?.date}</span>
            <span>{days.at(-1)?.date}</span>
          </Text>
        </section>
        {reviewers.length === 0 ? (
          <EmptyState title="No reviews yet">Who reviews items of this queue is listed here.</EmptyState>
        ) : (
          <Reviewers reviewers={reviewers} />
        )}
        {items_counted < queue.progress.total && (
          <Text
            size="label"
            tone="quiet"
          >{`Only the ${plural(items_counted, 'item')} that people came to last are counted by reviewer and by day.`}</Text>
        )}
      </div>
    </div>
  );
}

const sumOf = (days: Progress['days']): number => days.reduce((sum, { completed, skipped }) => sum + completed + skipped, 0);

function figuresOf({ total, completed, skipped, pending, in_progress }: Queue['progress']) {
  const share = (part: number) => (total === 0 ? '' : `${Math.round((part / total) * 100)} %`);
  return [
    { name: 'Completed', value: count(completed), note: share(completed) },
    { name: 'Skipped', value: count(skipped), note: share(skipped) },
    { name: 'In review', value: count(in_progress), note: 'or assigned' },
    { name: 'Waiting', value: count(pending), note: 'for anybody' },
  ];
}

const heads = ['Reviewer', 'Assigned', 'Completed', 'Skipped', 'Median time'];

function Reviewers({ reviewers }: Pick<Progress, 'reviewers'>) {
  const names = useMemberNames();
  return (
    <table aria-label="Reviewers" className="w-full text-row">
      <thead>
        <tr className="h-row border-line border-b text-fg-3 text-label">
          {heads.map((head, at) => (
            <th key={head} scope="col" className={at === 0 ? 'text-left font-normal' : 'text-right font-normal'}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {reviewers.map(({ user_id, assigned, completed, skipped, median_seconds }) => (
          <tr key={user_id} className="h-row border-line border-b">
            <th scope="row" className="max-w-(--width-name) truncate text-left font-normal" title={reviewerName(user_id, names)}>
              {reviewerName(user_id, names)}
            </th>
            {[count(assigned), count(completed), count(skipped), timeOf(median_seconds)].map((value, at) => (
              <td key={heads[at + 1]} className="num text-right">
                {value}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** `45 s`, `2 min 5 s`. */
function timeOf(seconds: number | null): string {
  if (seconds === null) return '—';
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

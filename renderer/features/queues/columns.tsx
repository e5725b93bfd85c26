import { count } from '../../model/text/format.ts';
import { exactly, when } from '../../model/time/time.ts';
import type { Column } from '../../ui/lists/data-list.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import type { Queue } from './queues-query.ts';

const statusLabels: Record<Queue['status'], string> = { active: 'Active', completed: 'Completed', archived: 'Archived' };

const doneOf = ({ completed, skipped }: Queue['progress']): number => completed + skipped;

export const queueColumns = (open: (queue: Queue) => void): Column<Queue>[] => [
  {
    id: 'name',
    head: 'Queue',
    width: 'minmax(0, 1fr)',
    cell: (queue) => (
      <button
        type="button"
        title={`Open ${queue.name}`}
        onClick={() => open(queue)}
        className="block w-full truncate text-left text-fg text-row after:absolute after:inset-0"
      >
        {queue.name}
      </button>
    ),
  },
  {
    id: 'scores',
    head: 'Scores',
    width: 'minmax(0, 1fr)',
    wideOnly: true,
    cell: ({ score_config_names: names }) => (
      <Text as="div" cut tone="dim" title={(names ?? []).join(', ')}>
        {(names ?? []).join(', ')}
      </Text>
    ),
  },
  {
    id: 'status',
    head: 'Status',
    width: 'var(--width-word)',
    wideOnly: true,
    cell: ({ status }) => <Text tone="dim">{statusLabels[status]}</Text>,
  },
  { id: 'progress', head: 'Progress', width: 'var(--width-name)', cell: ({ progress }) => <Progress progress={progress} /> },
  {
    id: 'mine',
    head: 'For you',
    width: 'var(--width-count)',
    end: true,
    cell: ({ waiting_for_me: waiting }) => waiting > 0 && <Quantity value={count(waiting)} title={`${waiting} assigned to you`} />,
  },
  {
    id: 'pending',
    head: 'Remaining',
    width: 'var(--width-total)',
    end: true,
    cell: ({ progress: { pending, in_progress } }) => (
      <Quantity value={count(pending + in_progress)} title={`${pending} not started, ${in_progress} in progress`} />
    ),
  },
  {
    id: 'created',
    head: 'Created',
    width: 'var(--width-when)',
    end: true,
    wideOnly: true,
    cell: ({ created_at }) => <Quantity value={when(created_at)} title={exactly(created_at)} />,
  },
];

/** Progress of a queue, as a bar with numbers. */
export function Progress({ progress }: Pick<Queue, 'progress'>) {
  const { total, completed, skipped } = progress;
  const done = doneOf(progress);
  return (
    <span className="flex items-center gap-2" title={`${completed} completed, ${skipped} skipped, of ${total}`}>
      <progress
        max={Math.max(total, 1)}
        value={done}
        aria-label="Reviewed"
        className="h-bar w-full min-w-0 flex-1 appearance-none overflow-hidden rounded-pill bg-raised accent-accent [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-raised [&::-webkit-progress-value]:bg-accent"
      />
      <Text size="label" tone="quiet" className="shrink-0 tabular-nums">{`${count(done)} of ${count(total)}`}</Text>
    </span>
  );
}

/** The failures in the traces of the list, those that are the same in one row. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { GitCompare } from 'lucide-react';
import { messagePlaceholders } from '../../../shared/contract/tracing/error-group-shape.ts';
import type { ErrorGroup } from '../../../shared/contract/tracing/error-groups.ts';
import { gateway } from '../../api/client.ts';
import { asFailure } from '../../api/failure.ts';
import { useFollow } from '../../api/queries.ts';
import { addClause } from '../../model/filter/filter-text.ts';
import { count, plural } from '../../model/text/format.ts';
import { elapsed } from '../../model/time/elapsed.ts';
import { exactly, when } from '../../model/time/time.ts';
import { compareGroupsLabel } from '../../model/trace/group-words.ts';
import { actionsHead, type Column, DataList } from '../../ui/lists/data-list.tsx';
import { IconButton } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { Icon } from '../../ui/primitives/icon.tsx';
import { KindIcon } from '../../ui/primitives/kind-icon.tsx';
import { Pill } from '../../ui/primitives/pill.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { TrendBars } from '../../ui/primitives/trend-bars.tsx';
import { changedView, comparisonOf, listKeyOf, narrowingOf, type TracesView } from './url.ts';

const dayMs = 86_400_000;
const always = () => true;

type Row = ErrorGroup & { id: string };

interface ErrorGroupsProps {
  view: TracesView;
  onView: (view: TracesView) => void;
}

export function ErrorGroups({ view, onView }: ErrorGroupsProps) {
  const navigate = useNavigate();
  const key = listKeyOf(view);
  const queryKey = ['traces', 'error-groups', key];
  useFollow(queryKey, always);
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async () => (await gateway.errorGroups.list({ query: narrowingOf(view, Date.now()) })).data,
  });
  if (error && !data) return <FailedState failure={asFailure(error, 'The errors could not be grouped')} onRetry={() => void refetch()} />;
  const rows = (data?.groups ?? []).map((group): Row => ({ ...group, id: `${group.kind} ${group.name} ${group.type} ${group.message}` }));
  const compare = (group: Row) => void navigate({ to: '/compare', search: comparisonOf(view, group.filter, Date.now()) });
  const open = (group: Row) => onView(changedView(view, { show: undefined, filter: addClause(view.filter ?? '', group.filter) }));
  return (
    <>
      <div className="flex h-row shrink-0 items-center gap-2 border-line border-b px-pad text-fg-3 text-label" aria-live="polite">
        {data && (
          <>
            <span className="shrink-0 tabular-nums">{plural(rows.length + data.more, 'group')}</span>
            <span className="min-w-0 truncate">
              {`${plural(data.errors, 'error')} in ${plural(data.traces, 'trace')}${data.is_whole ? '' : ', the newest'}. `}
              The same type, message, and tool or model count as one; numbers, ids and links in messages are left out.
            </span>
          </>
        )}
      </div>
      <DataList
        label="Error groups"
        columns={columnsOf(open, compare)}
        rows={rows}
        secondLine={({ message }) => <Message text={message} />}
        onOpen={open}
        rowKeys={[{ on: 'c', label: compareGroupsLabel, run: compare }]}
        listKey={key}
      >
        {data ? (
          <EmptyState title="No errors">
            No span failed in the traces that the search and the time range select. A longer range shows older errors.
          </EmptyState>
        ) : (
          <SkeletonRows label="Loading error groups" />
        )}
      </DataList>
    </>
  );
}

const columnsOf = (onOpen: (group: Row) => void, onCompare: (group: Row) => void): readonly Column<Row>[] => [
  { id: 'error', head: 'Error', width: 'minmax(var(--width-name), 3fr)', cell: (group) => <What group={group} onOpen={onOpen} /> },
  { id: 'where', head: 'Where', width: 'minmax(var(--width-word), 1fr)', cell: (group) => <Where group={group} /> },
  {
    id: 'trend',
    head: 'Trend',
    width: 'var(--width-name)',
    wideOnly: true,
    cell: (group) => <TrendBars counts={group.trend} label={trendLabel(group)} />,
  },
  { id: 'errors', head: 'Errors', width: 'var(--width-count)', end: true, cell: ({ errors }) => <Quantity value={count(errors)} /> },
  { id: 'traces', head: 'Traces', width: 'var(--width-count)', end: true, cell: ({ traces }) => <Quantity value={count(traces)} /> },
  {
    id: 'first',
    head: 'First seen',
    width: 'var(--width-when)',
    end: true,
    wideOnly: true,
    cell: ({ first_seen }) => <Quantity value={when(first_seen)} title={exactly(first_seen)} />,
  },
  {
    id: 'last',
    head: 'Last seen',
    width: 'var(--width-when)',
    end: true,
    cell: ({ last_seen }) => <Quantity value={when(last_seen)} title={exactly(last_seen)} />,
  },
  {
    id: 'compare',
    ...actionsHead,
    width: 'var(--width-mark)',
    cell: (group) => (
      <IconButton label={`${compareGroupsLabel} (c)`} className="relative" onClick={() => onCompare(group)}>
        <Icon of={GitCompare} />
      </IconButton>
    ),
  },
];

/** The type of an error, a button that covers the row. */
function What({ group, onOpen }: { group: Row; onOpen: (group: Row) => void }) {
  const { type, message } = group;
  return (
    <div className="flex min-w-0 items-center gap-2">
      <button
        type="button"
        onClick={() => onOpen(group)}
        title="Show its traces"
        className="min-w-0 truncate text-left font-strong text-err text-row after:absolute after:inset-0"
      >
        {type || (message ? 'Error' : 'Error without a message')}
      </button>
      <Age group={group} />
    </div>
  );
}

const placeholder = new RegExp(`‹(${messagePlaceholders.join('|')})›`);

/** The message of a group; every second part is the name of a placeholder. */
const Message = ({ text }: { text: string }) => (
  <Text as="div" size="label" tone="quiet" mono cut title={text}>
    {text.split(placeholder).map((part, at) =>
      at % 2 === 0 ? (
        part
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text in their order
        <span key={at} className="rounded-key bg-raised px-1 text-fg-3">
          {part}
        </span>
      ),
    )}
  </Text>
);

/** That a failure is new, or back after some days. */
function Age({ group: { first_seen, last_seen, quiet_ms, back_since } }: { group: ErrorGroup }) {
  const isToday = (time: string) => new Date(time).toDateString() === new Date().toDateString();
  if (isToday(first_seen)) return <Pill tone="err">New today</Pill>;
  const isBack = quiet_ms >= 2 * dayMs && Date.parse(last_seen) - Date.parse(back_since) < dayMs;
  return isBack && isToday(last_seen) ? <Pill>{`Back after ${elapsed(quiet_ms)}`}</Pill> : null;
}

const Where = ({ group: { kind, name } }: { group: ErrorGroup }) => (
  <span className="flex min-w-0 items-center gap-1.5">
    <KindIcon kind={kind} />
    <Text cut title={name}>
      {name}
    </Text>
  </span>
);

const trendLabel = ({ trend }: ErrorGroup) => `Errors over time: ${trend.join(', ')}`;

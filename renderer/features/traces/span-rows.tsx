/** The spans that the search finds, of all traces. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { SpanItem } from '../../../shared/contract/tracing/spans.ts';
import { gateway } from '../../api/client.ts';
import { asFailure } from '../../api/failure.ts';
import { addClause, spellValue } from '../../model/filter/filter-text.ts';
import { cost, count, duration, plural, tokens } from '../../model/text/format.ts';
import { exactly, milliseconds, when } from '../../model/time/time.ts';
import { boundsOf } from '../../model/time/time-range.ts';
import { type Column, DataList } from '../../ui/lists/data-list.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { KindIcon } from '../../ui/primitives/kind-icon.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { StatusIcon } from '../../ui/primitives/status-icon.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { changedView, listKeyOf, type TracesView } from './url.ts';

const pageSize = 200;

interface SpanRowsProps {
  view: TracesView;
  onView: (view: TracesView) => void;
}

/** Conditions on traces that spans do not have. */
const traceConditions = ['name', 'dataset_run_id', 'commit_sha'] as const;

export function SpanRows({ view, onView }: SpanRowsProps) {
  const condition = traceConditions.find((key) => view[key] !== undefined);
  if (condition === undefined) return <Spans view={view} />;
  return (
    <EmptyState
      title={`Spans cannot be listed by ${condition}`}
      action={
        <Button onClick={() => onView(changedView(view, { [condition]: undefined }))}>{`Remove ${condition} = ${view[condition]}`}</Button>
      }
    >
      Only traces have it.
    </EmptyState>
  );
}

function Spans({ view }: { view: TracesView }) {
  const key = listKeyOf(view);
  const navigate = useNavigate();
  const open = ({ trace_id: traceId, id }: SpanItem) =>
    void navigate({ to: '/traces/$traceId', params: { traceId }, search: { span: id } });
  const { data, error, refetch, fetchNextPage, isFetchingNextPage, hasNextPage } = useInfiniteQuery({
    queryKey: ['traces', 'spans', key],
    queryFn: async ({ pageParam }) => {
      const startedMs = performance.now();
      const page = await gateway.spans.list({ query: { ...spanQueryOf(view), limit: pageSize, offset: pageParam } });
      return { ...page, tookMs: performance.now() - startedMs };
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.data.length < pageSize ? undefined : pages.length * pageSize),
    placeholderData: keepPreviousData,
  });
  if (error && !data) return <FailedState failure={asFailure(error, 'The spans could not be loaded')} onRetry={() => void refetch()} />;
  const rows = data?.pages.flatMap((page) => page.data) ?? [];
  const pagination = data?.pages[0]?.pagination;
  return (
    <>
      <div className="flex h-row shrink-0 items-center gap-2 border-line border-b px-pad text-fg-3 text-label" aria-live="polite">
        {pagination && <SpanCount view={view} found={pagination} tookMs={data?.pages[0]?.tookMs ?? 0} />}
        {hasNextPage && (
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchingNextPage ? 'Loading…' : `Show ${pageSize} more`}
          </Button>
        )}
      </div>
      <DataList label="Spans" columns={columns} rows={rows} onOpen={open} listKey={key}>
        {data ? (
          <EmptyState title="No spans">No span matches the search in this time range. Spans are listed here as they arrive.</EmptyState>
        ) : (
          <SkeletonRows label="Loading spans" />
        )}
      </DataList>
    </>
  );
}

interface SpanCountProps {
  view: TracesView;
  found: { total: number; total_is_lower_bound?: true | undefined };
  tookMs: number;
}

/** `118 spans of 9,214 · found in 41 ms` */
function SpanCount({ view, found, tookMs }: SpanCountProps) {
  const whole = changedView(view, { filter: undefined, sort_by: undefined, sort_order: undefined });
  const isFiltered = view.filter !== undefined;
  const { data: all } = useQuery({
    queryKey: ['traces', 'all-spans', listKeyOf(whole)],
    enabled: isFiltered,
    staleTime: 10_000,
    queryFn: async () => (await gateway.spans.list({ query: { ...spanQueryOf(whole), limit: 1 } })).pagination,
  });
  const details = isFiltered ? [all && `of ${counted(all, '')}`, `found in ${duration(milliseconds(tookMs))}`].filter(Boolean) : [];
  return (
    <span className="min-w-0 truncate tabular-nums">
      <span className="text-fg-2">{counted(found, 'span')}</span>
      {details.length > 0 && ` ${details.join(' · ')}`}
    </span>
  );
}

const counted = ({ total, total_is_lower_bound }: SpanCountProps['found'], noun: string) =>
  `${total_is_lower_bound ? 'more than ' : ''}${noun === '' ? count(total) : plural(total, noun)}`;

function spanQueryOf({ filter = '', environment, ...range }: TracesView) {
  const { from, to } = boundsOf(range, Date.now());
  const clauses = environment === undefined ? filter : addClause(filter, `environment = ${spellValue(environment)}`);
  return {
    ...(clauses === '' ? {} : { filter: clauses }),
    ...(from === undefined ? {} : { start_date: new Date(from).toISOString() }),
    ...(to === undefined ? {} : { end_date: new Date(to).toISOString() }),
  };
}

const columns: readonly Column<SpanItem>[] = [
  { id: 'status', head: 'Status', width: 'var(--width-status)', cell: ({ status }) => <StatusIcon status={status} /> },
  { id: 'name', head: 'Name', width: 'minmax(var(--width-name), 4fr)', cell: (span) => <Name span={span} /> },
  {
    id: 'message',
    head: 'Error',
    width: 'minmax(0, 2fr)',
    wideOnly: true,
    cell: ({ status_message }) => (
      <Text as="div" size="label" tone="err" cut title={status_message}>
        {status_message}
      </Text>
    ),
  },
  {
    id: 'model',
    head: 'Model',
    width: 'minmax(var(--width-word), 1fr)',
    wideOnly: true,
    cell: ({ model }) => (
      <Text as="div" size="label" tone="quiet" cut title={model ?? undefined}>
        {model}
      </Text>
    ),
  },
  {
    id: 'tokens',
    head: 'Tokens',
    width: 'var(--width-total)',
    end: true,
    wideOnly: true,
    cell: (span) => <Quantity value={span.tokens > 0 ? tokens(span.tokens) : null} />,
  },
  {
    id: 'cost',
    head: 'Cost',
    width: 'var(--width-cost)',
    end: true,
    cell: (span) => <Quantity value={span.cost > 0 ? cost(span.cost) : null} />,
  },
  {
    id: 'duration',
    head: 'Duration',
    width: 'var(--width-duration)',
    end: true,
    cell: (span) => <Quantity value={duration(milliseconds(span.duration_ms))} />,
  },
  {
    id: 'start',
    head: 'Started',
    width: 'var(--width-when)',
    end: true,
    cell: ({ timestamp }) => <Quantity value={when(timestamp)} title={exactly(timestamp)} />,
  },
];

/** Link that covers the whole row and opens the span in its trace. */
const Name = ({ span: { id, trace_id, name, span_kind, status, service_name } }: { span: SpanItem }) => (
  <span className="flex min-w-0 items-center gap-1.5">
    <KindIcon kind={span_kind} />
    <Link
      to="/traces/$traceId"
      params={{ traceId: trace_id }}
      search={{ span: id }}
      title={name}
      className={`min-w-0 truncate text-row after:absolute after:inset-0 ${status === 'ERROR' ? 'text-err' : 'text-fg'}`}
    >
      {name || 'unnamed'}
    </Link>
    <Text size="label" tone="dim" cut className="shrink-[9]">
      {service_name}
    </Text>
  </span>
);

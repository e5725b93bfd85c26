import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { gateway } from '../../api/client.ts';
import { asFailure } from '../../api/failure.ts';
import { useFollowRequests } from '../../api/queries.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Button, linkButton } from '../../ui/primitives/button.tsx';
import { useDebouncedValue } from '../../ui/primitives/debounced-value.ts';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { SearchField } from '../../ui/primitives/field.tsx';
import { useKeys } from '../../ui/primitives/keys.tsx';
import { Segmented } from '../../ui/primitives/segmented.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { ingestColumns, isRejected } from './columns.tsx';
import { EntryDetail } from './entry-detail.tsx';
import { type IngestLogView, readIngestLogUrl } from './url.ts';

const route = getRouteApi('/ingest-log');
const shownMax = 500;
const restMs = 250;
function useLog(search: string | undefined) {
  const queryKey = ['ingest-log', search ?? ''];
  useFollowRequests(queryKey);
  return useQuery({
    queryKey,
    queryFn: async () => (await gateway.viewer.ingestLog({ query: { limit: shownMax, search } })).data,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

const choices = [
  { id: 'all', label: 'All' },
  { id: 'refused', label: 'Rejected' },
] as const;

export function IngestLogScreen() {
  const view = route.useSearch();
  const navigate = useNavigate();
  const show = (change: Partial<IngestLogView>, replace = true) =>
    void navigate({ to: '/ingest-log', search: readIngestLogUrl({ ...view, ...change }), replace });
  const field = useRef<HTMLInputElement>(null);
  const [search, setSearch] = useDebouncedValue(view.search ?? '', (text) => show({ search: text }), restMs);
  useKeys('Ingest log', [{ on: ['/'], label: 'Search the log', run: () => field.current?.focus() }]);
  const log = useLog(view.search);
  const rows = (log.data ?? []).filter((entry) => view.only !== 'refused' || isRejected(entry));
  const entry = log.data?.find(({ id }) => id === view.entry);
  return (
    <>
      <title>Ingest log · Glasshouse</title>
      <ScreenHeader title="Ingest log">
        <SearchField
          ref={field}
          label="Search requests"
          hint="/"
          className="w-form shrink"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        />
        <Segmented
          label="Outcome"
          options={choices}
          value={view.only ?? 'all'}
          onChange={(only) => show({ only: only === 'refused' ? only : undefined })}
        />
        <Text tone="dim" cut className="ml-auto">{`The latest ${shownMax} requests to this port, including rejected ones`}</Text>
      </ScreenHeader>
      {log.isError && !log.data ? (
        <FailedState failure={asFailure(log.error, 'The ingest log could not be loaded')} onRetry={() => void log.refetch()} />
      ) : (
        <DataList
          label="Requests"
          columns={ingestColumns}
          rows={rows}
          selected={entry?.id ?? null}
          onOpen={({ id }) => show({ entry: id })}
          listKey={`${view.search} ${view.only}`}
        >
          {log.data ? (
            <NoRequests
              isFiltered={view.search !== undefined || view.only !== undefined}
              onClear={() => show({ search: undefined, only: undefined })}
            />
          ) : (
            <SkeletonRows label="Loading the ingest log" />
          )}
        </DataList>
      )}
      {entry && <EntryDetail entry={entry} onClose={() => show({ entry: undefined })} />}
    </>
  );
}

function NoRequests({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (isFiltered)
    return (
      <EmptyState title="No requests match" action={<Button onClick={onClear}>Show all</Button>}>
        There may be requests with another outcome or with other words.
      </EmptyState>
    );
  return (
    <EmptyState
      title="No requests yet"
      action={
        <Link to="/setup" className={linkButton}>
          Set up an exporter
        </Link>
      }
    >
      Every request of an exporter is listed here with its outcome, and rejected ones with the reason. No request has reached this address.
    </EmptyState>
  );
}

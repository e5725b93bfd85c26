import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { gateway } from '../../api/client.ts';
import { asFailure } from '../../api/failure.ts';
import { useFollow } from '../../api/queries.ts';
import { useServed } from '../../api/served.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Pager } from '../../ui/lists/pager.tsx';
import { Button, linkButton } from '../../ui/primitives/button.tsx';
import { useDebouncedValue } from '../../ui/primitives/debounced-value.ts';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { SearchField } from '../../ui/primitives/field.tsx';
import { useKeys } from '../../ui/primitives/keys.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { sessionColumns } from './columns.tsx';
import { currentSort, readSessionsUrl, type SessionsView, sessionPageSize, sessionsQuery, sortedBy } from './url.ts';

const route = getRouteApi('/sessions');
const always = () => true;
const restMs = 250;

function useSessions(view: SessionsView) {
  const query = sessionsQuery(view);
  const queryKey = ['sessions', query];
  useFollow(queryKey, always);
  return useQuery({ queryKey, queryFn: () => gateway.sessions.list({ query }), placeholderData: keepPreviousData });
}

export function SessionsScreen() {
  const view = route.useSearch();
  const navigate = useNavigate();
  const show = (search: SessionsView, replace = false) => void navigate({ to: '/sessions', search, replace });
  const field = useRef<HTMLInputElement>(null);
  // A search is one history entry, whatever the number of letters typed: the back button leaves the search, not its last letter.
  const settle = (search: string) => show(readSessionsUrl({ ...view, search, page: undefined }), view.search !== undefined);
  const [search, setSearch] = useDebouncedValue(view.search ?? '', settle, restMs);
  useKeys('Sessions', [{ on: ['/'], label: 'Search sessions', run: () => field.current?.focus() }]);
  const sessions = useSessions(view);
  const isServed = useServed();
  const { sort_by, sort_order } = currentSort(view);
  return (
    <>
      <title>Sessions · Glasshouse</title>
      <ScreenHeader title="Sessions">
        <SearchField
          ref={field}
          label="Search by ID or name"
          hint="/"
          className="w-form shrink"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        />
        {isServed('agents') && (
          <Link to="/traces" search={{ filter: 'metadata.agent exists' }} className="ml-auto shrink-0 text-accent text-row hover:underline">
            Traces of coding agents
          </Link>
        )}
      </ScreenHeader>
      {sessions.isError && !sessions.data ? (
        <FailedState failure={asFailure(sessions.error, 'The sessions could not be loaded')} onRetry={() => void sessions.refetch()} />
      ) : (
        <DataList
          label="Sessions"
          columns={sessionColumns}
          rows={sessions.data?.data ?? []}
          sort={{ by: sort_by, order: sort_order }}
          onSort={(by) => show(sortedBy(view, by))}
          onOpen={(session) => void navigate({ to: '/sessions/$sessionId', params: { sessionId: session.id } })}
          listKey={JSON.stringify(view)}
        >
          {sessions.data ? (
            <NoSessions isSearching={view.search !== undefined} onClear={() => setSearch('')} />
          ) : (
            <SkeletonRows label="Loading sessions" />
          )}
        </DataList>
      )}
      <Pager
        page={view.page ?? 1}
        pageSize={sessionPageSize}
        total={sessions.data?.pagination.total ?? null}
        noun="sessions"
        onPage={(page) => show(readSessionsUrl({ ...view, page }))}
      />
    </>
  );
}

function NoSessions({ isSearching, onClear }: { isSearching: boolean; onClear: () => void }) {
  if (isSearching)
    return (
      <EmptyState title="No sessions match" action={<Button onClick={onClear}>Clear search</Button>}>
        No session has these words in its ID or name.
      </EmptyState>
    );
  return (
    <EmptyState
      title="No sessions yet"
      action={
        <Link to="/setup" className={linkButton}>
          Set up an SDK
        </Link>
      }
    >
      A session is a conversation: all traces with the same session ID. Set the attribute session.id on your spans, or the session setting
      of your SDK.
    </EmptyState>
  );
}

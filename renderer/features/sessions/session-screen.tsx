import { getRouteApi, Link, useNavigate, useRouter } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { CopyIcon } from '../../ui/primitives/copy-button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { SkeletonCards } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { SessionActions } from './session-actions.tsx';
import { SessionFacts } from './session-facts.tsx';
import { useSession, useTurns } from './session-query.ts';
import { hasDetails, TurnList } from './turn-list.tsx';
import type { DrawAgents, DrawCards, DrawWork } from './turn-messages.tsx';
import { readSessionUrl } from './url.ts';

const route = getRouteApi('/sessions/$sessionId');

interface SessionScreenProps {
  /** Renders messages as the trace page does. */
  draw: DrawCards;
  drawAgents: DrawAgents;
  drawWork: DrawWork;
}

/** A session as one conversation over time. */
export function SessionScreen({ draw, drawAgents, drawWork }: SessionScreenProps) {
  const { sessionId } = route.useParams();
  const { turn } = route.useSearch();
  const navigate = useNavigate();
  const { history } = useRouter();
  const query = useTurns(sessionId);
  const session = useSession(sessionId);
  const [areDetailsOpen, setDetailsOpen] = useState(false);
  const name = session.data?.name ?? '';
  const actions = useMemo(
    () => ({
      turn: (id: string) =>
        void navigate({ to: '/sessions/$sessionId', params: { sessionId }, search: readSessionUrl({ turn: id }), replace: true }),
      open: (traceId: string) => void navigate({ to: '/traces/$traceId', params: { traceId } }),
      back: () => (history.canGoBack() ? history.back() : void navigate({ to: '/sessions' })),
    }),
    [navigate, history, sessionId],
  );
  return (
    <>
      <title>{`${name || sessionId} · Glasshouse`}</title>
      <header className="flex h-header shrink-0 items-center gap-2 border-line border-b px-pad">
        <Link to="/sessions" className="shrink-0 text-body text-fg-3 hover:text-fg">
          Sessions /
        </Link>
        <Text as="h1" size="title" strong cut title={name || sessionId}>
          {name || sessionId}
        </Text>
        {name !== '' && (
          <Text size="label" tone="dim" mono cut>
            {sessionId}
          </Text>
        )}
        <CopyIcon text={() => sessionId} label="Copy session ID" />
        <Link to="/traces" search={{ session_id: sessionId }} className="ml-auto shrink-0 text-fg-2 text-row hover:text-fg hover:underline">
          Show traces
        </Link>
        {query.turns && hasDetails(query.turns, query.total) && (
          <span className="facets:hidden">
            <Button onClick={() => setDetailsOpen(!areDetailsOpen)} pressed={areDetailsOpen}>
              Details
            </Button>
          </span>
        )}
        {query.turns && query.turns.length > 0 && (
          <SessionActions {...{ sessionId, turn }} turns={query.turns} total={query.total} onDeleted={actions.back} />
        )}
      </header>
      {query.turns && query.turns.length > 0 && <SessionFacts session={session.data ?? null} turns={query.turns} total={query.total} />}
      {query.isError && !query.turns ? (
        <FailedState failure={asFailure(query.error, 'The session could not be loaded')} onRetry={() => void query.refetch()} />
      ) : !query.turns ? (
        <div className="mx-auto w-full max-w-measure p-pad">
          <SkeletonCards label="Loading the session" />
        </div>
      ) : query.turns.length === 0 ? (
        <EmptyState title="Session not found" action={<Button onClick={actions.back}>Back to sessions</Button>}>
          No trace of this session has arrived. It opens here when its first trace arrives.
        </EmptyState>
      ) : (
        <TurnList
          key={sessionId}
          turns={query.turns}
          total={query.total}
          initialTurn={turn}
          draw={draw}
          drawAgents={drawAgents}
          drawWork={drawWork}
          areDetailsOpen={areDetailsOpen}
          onTurn={actions.turn}
          onOpen={actions.open}
          onBack={actions.back}
          onEnd={() => query.hasNextPage && !query.isFetching && void query.fetchNextPage()}
        />
      )}
    </>
  );
}

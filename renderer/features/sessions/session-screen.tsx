import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { useDebouncedValue } from '../../ui/primitives/debounced-value.ts';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { SkeletonCards } from '../../ui/primitives/skeleton.tsx';
import { SessionActions } from './session-actions.tsx';
import { SessionFacts } from './session-facts.tsx';
import { SessionHead } from './session-head.tsx';
import { useSession, useTurns } from './session-query.ts';
import { SessionSearch } from './session-search.tsx';
import { hasDetails, TurnList } from './turn-list.tsx';
import type { DrawAgents, DrawCards, DrawWork } from './turn-messages.tsx';
import { readSessionUrl, type SessionView } from './url.ts';
import { useSessionSearch } from './use-found-turns.ts';

const route = getRouteApi('/sessions/$sessionId');
/** Time without a keystroke after which words are searched. */
const restMs = 250;

interface SessionScreenProps {
  /** Renders messages as the trace page does. */
  draw: DrawCards;
  drawAgents: DrawAgents;
  drawWork: DrawWork;
}

/** A session as one conversation over time. */
export function SessionScreen({ draw, drawAgents, drawWork }: SessionScreenProps) {
  const { sessionId } = route.useParams();
  const { turn, q = '' } = route.useSearch();
  const navigate = useNavigate();
  const { history } = useRouter();
  const query = useTurns(sessionId);
  const session = useSession(sessionId);
  const show = useShownView(sessionId);
  const [words, setWords] = useDebouncedValue(q, (next) => show({ q: next }), restMs);
  const search = useSessionSearch(sessionId, q, query);
  const [current, setCurrent] = useState<string>();
  const [areDetailsOpen, setDetailsOpen] = useState(false);
  const name = session.data?.name ?? '';
  const actions = useMemo(
    () => ({
      turn: (id: string) => show({ turn: id }),
      open: (traceId: string) => void navigate({ to: '/traces/$traceId', params: { traceId } }),
      back: () => (history.canGoBack() ? history.back() : void navigate({ to: '/sessions' })),
    }),
    [navigate, history, show],
  );
  return (
    <>
      <title>{`${name || sessionId} · Glasshouse`}</title>
      <SessionHead sessionId={sessionId} name={name}>
        {query.turns && hasDetails(query.turns, query.total) && (
          <span className="facets:hidden">
            <Button onClick={() => setDetailsOpen(!areDetailsOpen)} pressed={areDetailsOpen}>
              Details
            </Button>
          </span>
        )}
        {query.turns && query.turns.length > 0 && (
          <SessionActions {...{ sessionId, turn: current ?? turn }} turns={query.turns} total={query.total} onDeleted={actions.back} />
        )}
      </SessionHead>
      {query.turns && query.turns.length > 0 && (
        <SessionFacts session={session.data ?? null} turns={query.turns} total={query.total}>
          <SessionSearch {...search} words={words} total={query.total} onWords={setWords} />
        </SessionFacts>
      )}
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
          found={search.found}
          initialTurn={turn}
          {...{ draw, drawAgents, drawWork }}
          areDetailsOpen={areDetailsOpen}
          onTurn={actions.turn}
          onCurrent={setCurrent}
          onOpen={actions.open}
          onBack={actions.back}
          onEnd={() => query.hasNextPage && !query.isFetching && void query.fetchNextPage()}
        />
      )}
    </>
  );
}

/** Changes the address of the session, without another entry in the history. */
function useShownView(sessionId: string) {
  const navigate = useNavigate();
  return useCallback(
    (change: SessionView) =>
      void navigate({
        ...{ to: '/sessions/$sessionId', params: { sessionId }, replace: true },
        search: (now) => readSessionUrl({ ...now, ...change }),
      }),
    [navigate, sessionId],
  );
}

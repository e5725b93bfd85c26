// biome-ignore-all lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
/** Turns of a session, virtualised because there may be thousands. */
import { useVirtualizer } from '@tanstack/react-virtual';
import clsx from 'clsx';
import { useEffect, useRef, useState } from 'react';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { plural } from '../../model/text/format.ts';
import { askedBefore } from '../../model/trace/session-turns.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { KeyFooter } from '../../ui/primitives/key-footer.tsx';
import { useSamePrompt } from './session-query.ts';
import { SessionTurn } from './session-turn.tsx';
import { TurnIndex } from './turn-index.tsx';
import { useTurnKeys } from './turn-keys.ts';
import type { DrawAgents, DrawCards, DrawWork } from './turn-messages.tsx';
import { useOpenTexts } from './turn-text.tsx';
import { type Following, useFollowing } from './use-following.ts';
import type { FoundTurns } from './use-found-turns.ts';

/** Estimated height of a turn, used until it is measured. */
const estimatedPx = 240;
const overscan = 3;
/** Distance from the last loaded turn at which more are fetched. */
const nearEnd = 20;

interface TurnListProps {
  turns: readonly ListedTrace[];
  /** Of the whole session; more than `turns` until all have loaded. */
  total: number;
  /** Turns that a search found; null while nothing is searched. */
  found: FoundTurns | null;
  /** Id of the trace of the turn to start at. */
  initialTurn: string | undefined;
  draw: DrawCards;
  drawAgents: DrawAgents;
  drawWork: DrawWork;
  /** Whether a narrow window shows the details over the conversation. */
  areDetailsOpen: boolean;
  onTurn: (traceId: string) => void;
  /** Called with the id of the trace of the current turn, which is the last one while it is followed. */
  onCurrent: (traceId: string | undefined) => void;
  onOpen: (traceId: string) => void;
  onBack: () => void;
  /** Called near the end of the loaded turns. */
  onEnd: () => void;
}

export function TurnList({ turns, total, found, initialTurn, draw, onTurn, onOpen, onBack, onEnd, ...props }: TurnListProps) {
  const { drawAgents, drawWork, areDetailsOpen, onCurrent } = props;
  const { scroller, virtual, cursor, following, go } = useTurnCursor({ turns, total, initialTurn, onTurn, onEnd });
  const texts = useOpenTexts();
  const samePrompt = useSamePrompt(turns, total);
  const current = cursor === null ? undefined : turns[cursor]?.id;
  useEffect(() => onCurrent(current), [current, onCurrent]);
  useTurnKeys(turns, found, cursor ?? -1, { go, onOpen, onBack, onTexts: texts.toggleAll, onFollow: following?.toggle });
  return (
    <>
      <div className="relative flex min-h-0 flex-1">
        <TurnIndex turns={turns} found={found} cursor={cursor} onTurn={go} onEnd={onEnd} />
        <section
          ref={scroller}
          tabIndex={0}
          aria-label="Conversation"
          className="min-h-0 min-w-0 flex-1 overflow-y-auto overflow-x-hidden outline-none"
        >
          <div className="relative" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ index, start: top, key }) => {
              const turn = turns[index];
              if (!turn) return null;
              return (
                <div
                  key={key}
                  data-index={index}
                  ref={virtual.measureElement}
                  className="absolute inset-x-0 top-0"
                  style={{ transform: `translateY(${top}px)` }}
                >
                  <SessionTurn {...contextOf(turns, turn, index)} {...{ samePrompt, texts, draw, drawAgents }} isOn={index === cursor} />
                </div>
              );
            })}
          </div>
        </section>
        {hasDetails(turns, total) && (
          <aside aria-label="Details" tabIndex={0} className={detailsStyle(areDetailsOpen)}>
            {drawWork(turns, go)}
          </aside>
        )}
      </div>
      <KeyFooter keys={footerKeys}>{following && <FollowButton following={following} />}</KeyFooter>
    </>
  );
}

type TurnsProps = Pick<TurnListProps, 'turns' | 'total' | 'initialTurn' | 'onTurn' | 'onEnd'>;

/** The rendered turns, the current one, and how to go to another. */
function useTurnCursor({ turns, total, initialTurn, onTurn, onEnd }: TurnsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [start] = useState(() => turns.findIndex(({ id }) => id === initialTurn));
  const [cursor, setCursor] = useState<number | null>(start < 0 ? null : start);
  const virtual = useVirtualizer({
    count: turns.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => turns[index]?.id ?? index,
    estimateSize: () => estimatedPx,
    overscan,
  });
  const last = virtual.getVirtualItems().at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= turns.length - nearEnd) onEnd();
  }, [last, turns.length, onEnd]);
  useEffect(() => {
    if (start >= 0) virtual.scrollToIndex(start, { align: 'start' });
  }, [virtual, start]);

  const following = useFollowing({
    ...{ turns, scroller, areAll: turns.length === total, isWanted: start < 0, height: virtual.getTotalSize() },
    toEnd: () => virtual.scrollToIndex(turns.length - 1, { align: 'end' }),
  });
  const isFollowing = following?.is === true;
  // It stays the current turn when following ends.
  useEffect(() => {
    if (isFollowing) setCursor(turns.length - 1);
  }, [isFollowing, turns.length]);
  const go = (to: number) => {
    const next = Math.min(turns.length - 1, Math.max(0, to));
    const turn = turns[next];
    if (!turn) return;
    setCursor(next);
    if (next < turns.length - 1) following?.pause();
    virtual.scrollToIndex(next, { align: 'start' });
    scroller.current?.focus({ preventScroll: true });
    onTurn(turn.id);
  };
  return { scroller, virtual, cursor, following, go };
}

const footerKeys = [
  [['j', 'k'], 'next, previous turn'],
  [['o'], 'open cut text'],
  [['e'], 'next error'],
  [['Enter'], 'open trace'],
  [['c'], 'compare with the previous turn'],
  [['/'], 'search'],
] as const;

const FollowButton = ({ following: { is, newTurns, toggle } }: { following: Following }) => (
  <Button hint="f" pressed={is} onClick={toggle} className="ml-auto">
    {is ? 'Following' : newTurns > 0 ? `Paused. ${plural(newTurns, 'new turn')}` : 'Follow'}
  </Button>
);

/** The traces of more turns, or larger ones, take too long to read beside a conversation. */
const detailedTurnsMax = 30;
const detailedSpansMax = 20_000;

export const hasDetails = (turns: readonly ListedTrace[], total: number) =>
  total <= detailedTurnsMax && turns.reduce((sum, { span_count }) => sum + span_count, 0) <= detailedSpansMax;

const detailsStyle = (isOpen: boolean) =>
  clsx(
    'w-75 shrink-0 overflow-y-auto border-line border-l outline-none',
    isOpen
      ? 'max-facets:absolute max-facets:inset-y-0 max-facets:right-0 max-facets:bg-panel max-facets:shadow-layer'
      : 'max-facets:hidden',
  );

function contextOf(turns: readonly ListedTrace[], turn: ListedTrace, index: number) {
  const at = askedBefore(turns, index);
  const same = turns[at];
  return { turn, before: turns[index - 1], same: same && { turn: same, number: at + 1 }, number: index + 1 };
}

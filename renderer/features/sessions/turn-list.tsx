// biome-ignore-all lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
/** Turns of a session, virtualised because there may be thousands. */
import { useVirtualizer } from '@tanstack/react-virtual';
import clsx from 'clsx';
import { useEffect, useRef, useState } from 'react';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { askedBefore } from '../../model/trace/session-turns.ts';
import { type FooterKey, KeyFooter } from '../../ui/primitives/key-footer.tsx';
import { useKeys } from '../../ui/primitives/keys.tsx';
import { useSamePrompt } from './session-query.ts';
import { SessionTurn } from './session-turn.tsx';
import { TurnIndex } from './turn-index.tsx';
import type { DrawAgents, DrawCards, DrawWork } from './turn-messages.tsx';
import { useOpenTexts } from './turn-text.tsx';

/** Estimated height of a turn, used until it is measured. */
const estimatedPx = 240;
const overscan = 3;
/** Distance from the last loaded turn at which more are fetched. */
const nearEnd = 20;

interface TurnListProps {
  turns: readonly ListedTrace[];
  /** Of the whole session; more than `turns` until all have loaded. */
  total: number;
  /** Id of the trace of the turn to start at. */
  initialTurn: string | undefined;
  draw: DrawCards;
  drawAgents: DrawAgents;
  drawWork: DrawWork;
  /** Whether a narrow window shows the details over the conversation. */
  areDetailsOpen: boolean;
  onTurn: (traceId: string) => void;
  onOpen: (traceId: string) => void;
  onBack: () => void;
  /** Called near the end of the loaded turns. */
  onEnd: () => void;
}

export function TurnList({ turns, total, initialTurn, draw, onTurn, onOpen, onBack, onEnd, ...props }: TurnListProps) {
  const { drawAgents, drawWork, areDetailsOpen } = props;
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
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= turns.length - nearEnd) onEnd();
  }, [last, turns.length, onEnd]);
  useEffect(() => {
    if (start >= 0) virtual.scrollToIndex(start, { align: 'start' });
  }, [virtual, start]);

  const go = (to: number) => {
    const next = Math.min(turns.length - 1, Math.max(0, to));
    const turn = turns[next];
    if (!turn) return;
    setCursor(next);
    virtual.scrollToIndex(next, { align: 'start' });
    scroller.current?.focus({ preventScroll: true });
    onTurn(turn.id);
  };
  const texts = useOpenTexts();
  const samePrompt = useSamePrompt(turns, total);
  useTurnKeys(turns, cursor ?? -1, { go, onOpen, onBack, onTexts: texts.toggleAll });
  return (
    <>
      <div className="relative flex min-h-0 flex-1">
        <TurnIndex turns={turns} cursor={cursor} onTurn={go} onEnd={onEnd} />
        <section
          ref={scroller}
          tabIndex={0}
          aria-label="Conversation"
          className="min-h-0 min-w-0 flex-1 overflow-y-auto overflow-x-hidden outline-none"
        >
          <div className="relative" style={{ height: virtual.getTotalSize() }}>
            {items.map(({ index, start: top, key }) => {
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
      <KeyFooter keys={footerKeys} />
    </>
  );
}

const footerKeys: readonly FooterKey[] = [
  [['j', 'k'], 'next, previous turn'],
  [['o'], 'open cut text'],
  [['e'], 'next error'],
  [['Enter'], 'open trace'],
  [['y'], 'copy'],
];

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

interface TurnActions extends Pick<TurnListProps, 'onOpen' | 'onBack'> {
  go: (to: number) => void;
  onTexts: (traceId: string) => void;
}

function useTurnKeys(turns: readonly ListedTrace[], at: number, { go, onOpen, onBack, onTexts }: TurnActions): void {
  const goToFailed = (step: 1 | -1) => {
    const failed = turns.flatMap(({ status, error_count }, i) => (status === 'ERROR' || error_count > 0 ? [i] : []));
    const next = step > 0 ? (failed.find((i) => i > at) ?? failed[0]) : (failed.findLast((i) => i < at) ?? failed.at(-1));
    if (next !== undefined) go(next);
  };
  useKeys('Session', [
    { on: ['j', 'ArrowDown'], label: 'Next turn', run: () => go(at + 1) },
    { on: ['k', 'ArrowUp'], label: 'Previous turn', run: () => go(at - 1) },
    { on: ['e'], label: 'Next turn with an error', run: () => goToFailed(1) },
    { on: ['E'], label: 'Previous turn with an error', run: () => goToFailed(-1) },
    { on: ['Home'], label: 'First turn', run: () => go(0) },
    { on: ['End'], label: 'Last turn', run: () => go(turns.length - 1) },
    { on: ['o'], label: 'Open or close long texts of the turn', run: () => onTexts(turns[Math.max(0, at)]?.id ?? '') },
    { on: ['Enter'], label: 'Open its trace', run: () => turns[at] && onOpen(turns[at].id) },
    { on: ['Escape'], label: 'Back', run: onBack },
  ]);
}

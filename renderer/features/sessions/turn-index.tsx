import clsx from 'clsx';
import { useEffect, useMemo, useRef } from 'react';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import type { TraceMatch } from '../../../shared/contract/tracing/trace-matches.ts';
import { cost, count } from '../../model/text/format.ts';
import { nearMark } from '../../model/text/near-mark.ts';
import { exactly, when } from '../../model/time/time.ts';
import { errorsInside, errorsInsideText, isFailed } from '../../model/trace/outcome.ts';
import { progressOf } from '../../model/trace/running.ts';
import { useInSight, useVirtualRows } from '../../ui/lists/virtual-rows.ts';
import { Marked } from '../../ui/primitives/marked.tsx';
import { RunningTime } from '../../ui/primitives/running.tsx';
import { Outcome } from '../../ui/primitives/status-icon.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import type { FoundTurns } from './use-found-turns.ts';

interface TurnIndexProps {
  turns: readonly ListedTrace[];
  /** Turns that a search found; the others are not listed. Null while nothing is searched. */
  found: FoundTurns | null;
  cursor: number | null;
  onTurn: (index: number) => void;
  /** Called near the end of the loaded turns. */
  onEnd: () => void;
}

const nearEnd = 20;

/** The turns as a list, so that those that went wrong are found at once. The line under a turn is its share of the highest cost. */
export function TurnIndex({ turns, found, cursor, onTurn, onEnd }: TurnIndexProps) {
  const scroller = useRef<HTMLElement>(null);
  const listed = useMemo(() => turns.flatMap(({ id }, index) => (!found || found.ids.has(id) ? [index] : [])), [turns, found]);
  const virtual = useVirtualRows(listed.length, scroller, '--spacing-header');
  const rows = virtual.getVirtualItems();
  useInSight(virtual, cursor === null ? null : (turns[cursor]?.id ?? null), cursor === null ? -1 : listed.indexOf(cursor));
  const last = rows.at(-1)?.index ?? 0;
  useEffect(() => {
    // What a search finds is loaded by the search.
    if (!found && last >= listed.length - nearEnd) onEnd();
  }, [found, last, listed.length, onEnd]);
  const highest = Math.max(...turns.map((turn) => turn.cost), 0);
  return (
    <nav ref={scroller} aria-label="Turns" className="min-h-0 w-step shrink-0 overflow-y-auto border-line border-r max-split:hidden">
      <ol className="relative" style={{ height: virtual.getTotalSize() }}>
        {rows.map(({ index: at, start }) => {
          const index = listed[at] ?? -1;
          const turn = turns[index];
          if (!turn) return null;
          return (
            <li key={turn.id} className="absolute inset-x-0 top-0 h-header" style={{ transform: `translateY(${start}px)` }}>
              <Entry
                turn={turn}
                number={index + 1}
                isOn={index === cursor}
                highest={highest}
                place={found?.places.get(turn.id)}
                onClick={() => onTurn(index)}
              />
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

interface EntryProps {
  turn: ListedTrace;
  number: number;
  isOn: boolean;
  highest: number;
  /** Where the words of the search are. */
  place: TraceMatch | undefined;
  onClick: () => void;
}

function Entry({ turn, number, isOn, highest, place, onClick }: EntryProps) {
  const errors = errorsInside(turn);
  const state = [isFailed(turn) && 'Failed', errors > 0 && errorsInsideText(errors)].filter(Boolean).join(', ');
  const isBad = isFailed(turn) || errors > 0;
  return (
    <button
      type="button"
      aria-current={isOn}
      onClick={onClick}
      title={turn.input_preview || turn.name}
      className={clsx(
        'relative grid h-full w-full grid-cols-[auto_auto_minmax(0,1fr)_auto] content-center gap-x-1.5 px-pad text-left hover:bg-hover',
        isOn && 'bg-select shadow-[inset_var(--spacing-edge)_0_var(--color-accent)]',
      )}
    >
      <span className="num min-w-4 text-fg-3 text-label">{count(number)}</span>
      <Outcome trace={turn} />
      <Text cut className="col-span-2">
        {turn.input_preview || turn.name || 'unnamed'}
      </Text>
      <span className="col-start-3 flex min-w-0 gap-1.5">
        {turn.running > 0 && <RunningTime progress={progressOf(turn)} />}
        {place ? (
          <Text size="label" tone="dim" cut title={place.text}>
            <Marked {...nearMark(place)} />
          </Text>
        ) : (
          (turn.running === 0 || isBad) && (
            <Text size="label" tone={isBad ? 'err' : 'dim'} cut title={state || undefined}>
              {state || turn.output_preview}
            </Text>
          )
        )}
      </span>
      <Text size="label" tone="dim" title={exactly(turn.start)} className="tabular-nums">
        {when(turn.start)}
      </Text>
      {highest > 0 && turn.cost > 0 && (
        <span
          title={cost(turn.cost)}
          className="absolute bottom-0 left-3 h-edge max-w-full bg-line-2"
          style={{ width: `calc(${(turn.cost / highest) * 100}% - var(--spacing-pad) * 2)` }}
        />
      )}
    </button>
  );
}

import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { cost, count, plural, tokens } from '../../model/text/format.ts';
import { exactly, when } from '../../model/time/time.ts';
import { errorsInside, errorsInsideText, isFailed } from '../../model/trace/outcome.ts';
import { progressOf } from '../../model/trace/running.ts';
import { formatPause, pauseBefore } from '../../model/trace/session-turns.ts';
import { Dot, Pill } from '../../ui/primitives/pill.tsx';
import { Latency, Quantity } from '../../ui/primitives/quantity.tsx';
import { RunningPill, WaitingText } from '../../ui/primitives/running.tsx';
import { Outcome } from '../../ui/primitives/status-icon.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { type TurnContext, TurnMessages } from './turn-messages.tsx';

interface TurnProps extends TurnContext {
  isOn: boolean;
}

/** One trace as a turn of the conversation: how it went, usage and messages. */
export function SessionTurn({ isOn, ...context }: TurnProps) {
  const { turn, before, number } = context;
  const pause = pauseBefore(turn, before);
  const isBad = isFailed(turn) || errorsInside(turn) > 0;
  return (
    <section aria-label={`Turn ${count(number)}: ${turn.name || 'unnamed'}`}>
      {pause !== null && <Pause ms={pause} at={turn.start} />}
      <div
        className={clsx(
          'border-line border-b px-pad pt-1.5 pb-4',
          isOn && 'bg-select',
          isOn &&
            (isBad ? 'shadow-[inset_var(--spacing-edge)_0_var(--color-err)]' : 'shadow-[inset_var(--spacing-edge)_0_var(--color-accent)]'),
        )}
      >
        <div className="mx-auto grid max-w-measure gap-2.5">
          <TurnHead turn={turn} number={number} />
          <TurnMessages {...context} />
          {turn.running > 0 && turn.waiting_for && (
            <p className="ml-[calc(var(--width-total)+var(--spacing)*2)] rounded-card border border-line px-2.5 py-1.5 max-split:ml-0">
              <WaitingText waitingFor={turn.waiting_for} progress={progressOf(turn)} errors={turn.error_count} />
            </p>
          )}
        </div>
      </div>
    </section>
  );
}

const Pause = ({ ms, at }: { ms: number; at: string }) => (
  <div className="mx-auto flex max-w-measure items-center gap-3 px-pad py-3 text-fg-3 text-label" title={exactly(at)}>
    <span className="h-hair flex-1 bg-line-2" />
    <span className="tabular-nums">{`${formatPause(ms)} · ${when(at)}`}</span>
    <span className="h-hair flex-1 bg-line-2" />
  </div>
);

const noTokens = 'No span of this turn reported tokens';
const noPrice = 'The models of this turn have no known price, or are free';

function TurnHead({ turn, number }: { turn: ListedTrace; number: number }) {
  const errors = errorsInside(turn);
  return (
    <header className="flex h-row min-w-0 items-center gap-2">
      <span className="num min-w-5 text-fg-3 text-label">{count(number)}</span>
      <Outcome trace={turn} />
      <span title={turn.name} className={clsx('min-w-0 truncate font-medium text-row', isFailed(turn) ? 'text-err' : 'text-fg')}>
        {turn.name || 'unnamed'}
      </span>
      {turn.running > 0 && <RunningPill progress={progressOf(turn)} />}
      {isFailed(turn) && (
        <Pill tone="err">
          <Dot />
          Failed
        </Pill>
      )}
      {errors > 0 && (
        <Pill tone="err">
          <Dot />
          {errorsInsideText(errors)}
        </Pill>
      )}
      <Text size="label" tone="dim" className="shrink-0 max-facets:hidden">
        {plural(turn.span_count, 'span')}
      </Text>
      <span className="ml-auto grid shrink-0 grid-cols-[var(--width-total)_var(--width-cost)_var(--width-duration)_var(--width-when)] gap-x-2 max-facets:grid-cols-[var(--width-cost)_var(--width-duration)]">
        <span className="max-facets:hidden">
          <Quantity value={turn.tokens > 0 ? tokens(turn.tokens) : null} unknown={noTokens} title={`${count(turn.tokens)} tokens`} />
        </span>
        <Quantity value={turn.cost > 0 ? cost(turn.cost) : null} unknown={turn.tokens > 0 ? noPrice : noTokens} />
        <Latency trace={turn} />
        <span className="max-facets:hidden">
          <Quantity value={when(turn.start)} title={exactly(turn.start)} />
        </span>
      </span>
      <Link to="/traces/$traceId" params={{ traceId: turn.id }} className="shrink-0 text-fg-3 text-label hover:text-fg hover:underline">
        Open trace
      </Link>
    </header>
  );
}

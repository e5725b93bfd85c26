import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import { type ReactNode, useMemo } from 'react';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { cost, count, plural, tokens } from '../../model/text/format.ts';
import { exactly, when } from '../../model/time/time.ts';
import type { Card } from '../../model/trace/conversation.ts';
import { formatPause, pauseBefore, turnMessages } from '../../model/trace/session-turns.ts';
import { Dot, Pill } from '../../ui/primitives/pill.tsx';
import { Latency, Quantity } from '../../ui/primitives/quantity.tsx';
import { SkeletonCards } from '../../ui/primitives/skeleton.tsx';
import { StatusIcon } from '../../ui/primitives/status-icon.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { useSpeakers } from './session-query.ts';

/** Renders messages; provided by the trace feature. */
export type DrawCards = (cards: readonly Card[], owner: { traceId: string; spanId: string }) => ReactNode;

interface TurnProps {
  turn: ListedTrace;
  before: ListedTrace | undefined;
  /** Counted from 1. */
  number: number;
  isOn: boolean;
  draw: DrawCards;
}

/** One trace as a turn of the conversation: time, cost and messages. */
export function SessionTurn({ turn, before, number, isOn, draw }: TurnProps) {
  const pause = pauseBefore(turn, before);
  return (
    <section aria-label={`Turn ${count(number)}: ${turn.name || 'unnamed'}`}>
      {pause !== null && <Pause ms={pause} at={turn.start} />}
      <div className={clsx('px-pad pt-1.5 pb-3', isOn && 'shadow-[inset_var(--spacing-edge)_0_var(--color-accent)]')}>
        <div className="mx-auto grid max-w-measure gap-2">
          <TurnHead turn={turn} number={number} />
          <TurnMessages turn={turn} before={before} draw={draw} />
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
  return (
    <header className="flex h-row min-w-0 items-center gap-2">
      <span className="num min-w-5 text-fg-3 text-label">{count(number)}</span>
      <StatusIcon status={turn.status} />
      <Link
        to="/traces/$traceId"
        params={{ traceId: turn.id }}
        title={`Open trace ${turn.name}`}
        className={clsx('min-w-0 truncate font-medium text-row hover:underline', turn.status === 'ERROR' ? 'text-err' : 'text-fg')}
      >
        {turn.name || 'unnamed'}
      </Link>
      {turn.running > 0 && (
        <Pill tone="ok">
          <Dot />
          Running
        </Pill>
      )}
      {turn.error_count > 0 && (
        <Pill tone="err">
          <Dot />
          {plural(turn.error_count, 'error')}
        </Pill>
      )}
      <Text size="label" tone="dim" className="shrink-0 max-split:hidden">
        {plural(turn.span_count, 'span')}
      </Text>
      <span className="ml-auto grid shrink-0 grid-cols-[var(--width-total)_var(--width-cost)_var(--width-duration)_var(--width-when)] gap-x-2 max-split:grid-cols-[var(--width-cost)_var(--width-duration)]">
        <span className="max-split:hidden">
          <Quantity value={turn.tokens > 0 ? tokens(turn.tokens) : null} unknown={noTokens} title={`${count(turn.tokens)} tokens`} />
        </span>
        <Quantity value={turn.cost > 0 ? cost(turn.cost) : null} unknown={turn.tokens > 0 ? noPrice : noTokens} />
        <Latency trace={turn} />
        <span className="max-split:hidden">
          <Quantity value={when(turn.start)} title={exactly(turn.start)} />
        </span>
      </span>
    </header>
  );
}

function TurnMessages({ turn, before, draw }: Pick<TurnProps, 'turn' | 'before' | 'draw'>) {
  const own = useSpeakers(turn);
  const earlier = useSpeakers(before);
  const isReady = own.data !== undefined && (earlier.data !== undefined || earlier.isEmpty || earlier.isError);
  const talk = useMemo(() => (own.data && isReady ? turnMessages(own.data, earlier.data) : null), [own.data, earlier.data, isReady]);
  if (own.isError)
    return (
      <p role="alert" className="text-err text-row">
        The messages could not be loaded.{' '}
        <button type="button" onClick={() => void own.refetch()} className="underline">
          Try again
        </button>
      </p>
    );
  if (own.isEmpty) return <NoMessages />;
  if (!talk) return <SkeletonCards label="Loading messages" />;
  if (talk.input.length + talk.output.length === 0) return <NoMessages />;
  const failure = own.data?.output?.status_message || own.data?.input?.status_message;
  return (
    <>
      {draw(talk.input, { traceId: turn.id, spanId: turn.input_span ?? '' })}
      {draw(talk.output, { traceId: turn.id, spanId: turn.output_span ?? '' })}
      {turn.status === 'ERROR' && failure && (
        <p className="wrap-anywhere rounded-card border border-err-line bg-err-bg px-2.5 py-2 text-err text-row">{failure}</p>
      )}
    </>
  );
}

const NoMessages = () => (
  <Text as="p" size="label" tone="dim">
    This trace has no input or output.
  </Text>
);

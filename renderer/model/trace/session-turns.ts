/** A session as turns over time, with the pauses between them. */
import type { SpanInTrace } from '../../../shared/contract/tracing/spans.ts';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import type { Card } from './conversation.ts';
import { spanMessages } from './transcript.ts';

/** Shorter pauses are normal in a conversation. */
const pauseMs = 10 * 60_000;

/** Milliseconds between the end of one turn and the start of the next, if that is long enough to show; null otherwise. */
export function pauseBefore(trace: Pick<ListedTrace, 'start'>, before: Pick<ListedTrace, 'end'> | undefined): number | null {
  if (!before) return null;
  const pause = Date.parse(trace.start) - Date.parse(before.end);
  return pause >= pauseMs ? pause : null;
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** `3 hours later`, `1 day later`. */
export function formatPause(ms: number): string {
  const [unit, length] = units.find(([, unitMs]) => ms >= unitMs) ?? units[2];
  const count = Math.round(ms / length);
  return `${count} ${unit}${count === 1 ? '' : 's'} later`;
}

/** The spans with the input and the output of a trace, often the same span. */
export interface TurnSpans {
  input: SpanInTrace | undefined;
  output: SpanInTrace | undefined;
}

/** New messages of a turn: most programs send the whole conversation each time. */
export function turnMessages({ input, output }: TurnSpans, before: TurnSpans | undefined): { input: Card[]; output: Card[] } {
  return {
    input: input ? spanMessages(input, before?.input, false).input : [],
    output: output ? spanMessages(output, undefined, false).output : [],
  };
}

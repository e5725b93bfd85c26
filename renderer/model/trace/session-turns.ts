/** A session as turns over time, with the silence between them. */
import type { SpanInTrace } from '../../../shared/contract/tracing/spans.ts';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import type { Card } from './conversation.ts';
import { talkOf } from './transcript.ts';

/** Shorter silences are the rhythm of a conversation. */
const pauseMs = 10 * 60_000;

/** Milliseconds between the end of one turn and the start of the next, when that is worth a word; null otherwise. */
export function pauseBefore(trace: Pick<ListedTrace, 'start'>, before: Pick<ListedTrace, 'end'> | undefined): number | null {
  if (!before) return null;
  const silence = Date.parse(trace.start) - Date.parse(before.end);
  return silence >= pauseMs ? silence : null;
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** `3 hours later`, `1 day later`. */
export function pauseWords(ms: number): string {
  const [unit, length] = units.find(([, each]) => ms >= each) ?? units[2];
  const count = Math.round(ms / length);
  return `${count} ${unit}${count === 1 ? '' : 's'} later`;
}

/** Spans with the input and the output of a trace, often the same one. */
export interface Speakers {
  asks: SpanInTrace | undefined;
  answers: SpanInTrace | undefined;
}

/** New messages of a turn: most programs send the whole conversation each time. */
export function turnTalk({ asks, answers }: Speakers, before: Speakers | undefined): { asked: Card[]; said: Card[] } {
  return {
    asked: asks ? talkOf(asks, before?.asks, false).asked : [],
    said: answers ? talkOf(answers, undefined, false).said : [],
  };
}

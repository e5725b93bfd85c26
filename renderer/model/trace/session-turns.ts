/** A session as turns over time, with the pauses between them. */
import type { SpanInTrace } from '../../../shared/contract/tracing/spans.ts';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { startOf } from '../text/fold-text.ts';
import { type Card, conversation } from './conversation.ts';
import type { Message } from './messages.ts';
import { asMessages, spanMessages } from './transcript.ts';

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

export interface TurnTalk {
  /** The system prompt; '' for none. */
  system: string;
  /** Messages of earlier turns that the program sent along. */
  history: Card[];
  asked: Card[];
  answered: Card[];
  /** The last question, '' for none; two turns with equal ones asked the same. */
  question: string;
}

const isInstruction = ({ role }: Message) => role === 'system' || role === 'developer';
/** Roles that only follow a question. `omitted` stands for messages of any role. */
const isLater = ({ role }: Message) => ['assistant', 'model', 'tool', 'function', 'omitted'].includes(role);

const textOf = ({ parts }: Message) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');

function splitInput(span: SpanInTrace | undefined): { system: string; talk: Message[] } {
  const messages = span ? asMessages(span.input, 'user') : [];
  const first = messages.findIndex((message) => !isInstruction(message));
  const start = first < 0 ? messages.length : first;
  return { system: messages.slice(0, start).map(textOf).join('\n\n'), talk: messages.slice(start) };
}

/**
 * Number of messages that repeat earlier turns: those before the last question and after an answer, or, in a program that sends only questions,
 * all questions of the previous turn when more follow. A question that is simply asked again is none.
 */
function historyLength(talk: readonly Message[], before: readonly Message[]): number {
  let start = talk.findLastIndex(({ role }) => role === 'user');
  if (start < 0) return 0;
  while (start > 0 && !isLater(talk[start - 1] as Message)) start--;
  const isSentAgain =
    before.length > 0 && before.length < talk.length && before.every((message, i) => JSON.stringify(message) === JSON.stringify(talk[i]));
  return start === 0 && isSentAgain && talk.slice(before.length).some(({ role }) => role === 'user') ? before.length : start;
}

/** What was said in a turn. Nothing is left out: what repeats earlier turns is in `history`. */
export function turnTalk({ input, output }: TurnSpans, before: TurnSpans | undefined): TurnTalk {
  const { system, talk } = splitInput(input);
  const start = historyLength(talk, splitInput(before?.input).talk);
  const lastQuestion = talk.findLast(({ role }) => role === 'user');
  return {
    system,
    history: conversation(talk.slice(0, start)),
    asked: conversation(talk.slice(start)),
    answered: output ? spanMessages(output, undefined, false).output : [],
    question: lastQuestion ? textOf(lastQuestion) : '',
  };
}

/** Index of the first turn that seems to have been asked the same as the turn at `index`; -1 for none. Previews are cut, so texts decide. */
export function askedBefore(turns: readonly Pick<ListedTrace, 'input_preview'>[], index: number): number {
  const preview = turns[index]?.input_preview;
  const first = preview ? turns.findIndex(({ input_preview }) => input_preview === preview) : -1;
  return first < index ? first : -1;
}

/** Start of a text, never inside a surrogate pair, and how much of it that is. */
export interface CutText {
  head: string;
  shown: number;
  length: number;
}

const shownChars = 1200;
/** A text that is only a little longer is shown whole. */
const cutFrom = 1600;

/** Null for a text that is short enough to be shown whole. */
export function cutText(text: string): CutText | null {
  if (text.length <= cutFrom) return null;
  const head = startOf(text, shownChars);
  return { head, shown: head.length, length: text.length };
}

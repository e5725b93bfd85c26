/** Conversation as cards: one for each message part, and a tool call together with its result. */
import type { MediaPart } from './media.ts';
import type { Message, Part } from './messages.ts';

/** The `media` of a text were sent with it, in the same message. */
export type Card = {
  key: string /** Index of the message. */;
  message: number;
  role: string;
  name: string;
} /** `media` were sent in the same message, with the words. */ & (
  | { type: 'text'; text: string; media: readonly MediaPart[] }
  | { type: 'reasoning'; text: string }
  | { type: 'media'; media: MediaPart }
  | { type: 'data'; value: unknown }
  | { type: 'omitted'; count: number }
  | { type: 'tool'; id: string; args: unknown; called: boolean; result: ToolResult | null }
);
export interface ToolResult {
  value: unknown;
  isError: boolean;
}

type ResultPart = Extract<Part, { type: 'tool-result' }>;

/** Neighbouring texts of one message are one text: streaming may have split them. */
function merged(parts: readonly Part[]): Part[] {
  const out: Part[] = [];
  for (const part of parts) {
    const before = out.at(-1);
    if (part.type === 'text' && before?.type === 'text') out[out.length - 1] = { type: 'text', text: `${before.text}\n\n${part.text}` };
    else out.push(part);
  }
  return out;
}

function card(part: Part, place: Omit<Card, 'type'>, result: ToolResult | null): Card {
  const at = { ...place } as { key: string; message: number; role: string; name: string };
  switch (part.type) {
    case 'tool-call':
      return { ...at, name: part.name, type: 'tool', id: part.id, args: part.args, called: true, result };
    case 'tool-result':
      return { ...at, name: part.name, type: 'tool', id: part.id, args: undefined, called: false, result };
    case 'text':
      return { ...at, ...part, media: [] };
    case 'media':
      return { ...at, type: 'media', media: part };
    default:
      return { ...at, ...part };
  }
}

const isEmpty = (part: Part) => (part.type === 'text' || part.type === 'reasoning') && part.text.trim() === '';

/** A result is taken by the first call before it that has its id. */
export function conversation(messages: readonly Message[]): Card[] {
  const results = new Map<string, ResultPart[]>();
  const calls = new Set<string>();
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type === 'tool-call' && part.id) calls.add(part.id);
      if (part.type === 'tool-result' && calls.has(part.id)) results.set(part.id, [...(results.get(part.id) ?? []), part]);
    }
  }
  const taken = new Set<ResultPart>();
  const cards: Card[] = [];
  messages.forEach((message, index) => {
    merged(message.parts).forEach((part, n) => {
      if (isEmpty(part) || (part.type === 'tool-result' && taken.has(part))) return;
      const answer = part.type === 'tool-result' ? part : part.type === 'tool-call' ? results.get(part.id)?.shift() : undefined;
      if (answer) taken.add(answer);
      const result = answer ? { value: answer.result, isError: answer.isError } : null;
      const before = cards.at(-1);
      if (part.type === 'media' && before?.type === 'text' && before.message === index) {
        before.media = [...before.media, part];
        return;
      }
      cards.push(card(part, { key: `${index}.${n}`, message: index, role: message.role, name: message.name }, result));
    });
  });
  return cards;
}

/** Turns that stay visible at the end of a folded conversation, beside the first. */
const keptAtEnd = 6;
const foldFrom = 10;

export interface FoldedCards {
  head: Card[];
  hidden: Card[];
  tail: Card[];
}

export function foldEarlier(cards: readonly Card[]): FoldedCards {
  if (cards.length < foldFrom) return { head: [], hidden: [], tail: [...cards] };
  const opening = cards.findIndex((each) => each.role !== 'system' && each.role !== 'developer');
  const head = opening <= 0 ? 0 : Math.min(opening, 2);
  return { head: cards.slice(0, head), hidden: cards.slice(head, -keptAtEnd), tail: cards.slice(-keptAtEnd) };
}

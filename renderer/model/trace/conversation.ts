/** Conversation as cards: one for each message part, and a tool call together with its result. */
import type { MediaPart } from './media.ts';
import type { Message, Part } from './messages.ts';

/** `media` of a text were sent with it in the same message. */
export type Card = {
  key: string;
  /** Index of the message. */
  message: number;
  role: string;
  name: string;
} & (
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

/** Joins adjacent texts of a message, because streaming may have split them. */
function mergeTexts(parts: readonly Part[]): Part[] {
  const mergedParts: Part[] = [];
  for (const part of parts) {
    const previous = mergedParts.at(-1);
    if (part.type === 'text' && previous?.type === 'text')
      mergedParts[mergedParts.length - 1] = { type: 'text', text: `${previous.text}\n\n${part.text}` };
    else mergedParts.push(part);
  }
  return mergedParts;
}

function card(part: Part, base: Omit<Card, 'type'>, result: ToolResult | null): Card {
  const fields = { ...base } as { key: string; message: number; role: string; name: string };
  switch (part.type) {
    case 'tool-call':
      return { ...fields, name: part.name, type: 'tool', id: part.id, args: part.args, called: true, result };
    case 'tool-result':
      return { ...fields, name: part.name, type: 'tool', id: part.id, args: undefined, called: false, result };
    case 'text':
      return { ...fields, ...part, media: [] };
    case 'media':
      return { ...fields, type: 'media', media: part };
    default:
      return { ...fields, ...part };
  }
}

const isEmpty = (part: Part) => (part.type === 'text' || part.type === 'reasoning') && part.text.trim() === '';

/** Makes the cards. A result belongs to the first earlier call with its id. */
export function conversation(messages: readonly Message[]): Card[] {
  const results = new Map<string, ResultPart[]>();
  const calls = new Set<string>();
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type === 'tool-call' && part.id) calls.add(part.id);
      if (part.type === 'tool-result' && calls.has(part.id)) results.set(part.id, [...(results.get(part.id) ?? []), part]);
    }
  }
  const matched = new Set<ResultPart>();
  const cards: Card[] = [];
  messages.forEach((message, index) => {
    mergeTexts(message.parts).forEach((part, n) => {
      if (isEmpty(part) || (part.type === 'tool-result' && matched.has(part))) return;
      const matchedResult = part.type === 'tool-result' ? part : part.type === 'tool-call' ? results.get(part.id)?.shift() : undefined;
      if (matchedResult) matched.add(matchedResult);
      const result = matchedResult ? { value: matchedResult.result, isError: matchedResult.isError } : null;
      const previous = cards.at(-1);
      if (part.type === 'media' && previous?.type === 'text' && previous.message === index) {
        previous.media = [...previous.media, part];
        return;
      }
      cards.push(card(part, { key: `${index}.${n}`, message: index, role: message.role, name: message.name }, result));
    });
  });
  return cards;
}

/** Cards that stay visible at the end of a collapsed conversation, in addition to the first ones. */
const tailCards = 6;
const foldCardsMin = 10;

export interface FoldedCards {
  head: Card[];
  hidden: Card[];
  tail: Card[];
}

export function foldEarlier(cards: readonly Card[]): FoldedCards {
  if (cards.length < foldCardsMin) return { head: [], hidden: [], tail: [...cards] };
  const opening = cards.findIndex((card) => card.role !== 'system' && card.role !== 'developer');
  const head = opening <= 0 ? 0 : Math.min(opening, 2);
  return { head: cards.slice(0, head), hidden: cards.slice(head, -tailCards), tail: cards.slice(-tailCards) };
}

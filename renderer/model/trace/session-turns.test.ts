import { expect, it } from 'vitest';
import type { SpanInTrace } from '../../../shared/contract/tracing/spans.ts';
import type { Card } from './conversation.ts';
import { formatPause, pauseBefore, turnMessages } from './session-turns.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString();

it('a long pause is reported, a short one and an overlap are not', () => {
  expect(pauseBefore({ start: at(0) }, undefined)).toBeNull();
  expect(pauseBefore({ start: at(9) }, { end: at(0) })).toBeNull();
  expect(pauseBefore({ start: at(0) }, { end: at(30) })).toBeNull();
  expect(pauseBefore({ start: at(200) }, { end: at(20) })).toBe(180 * 60_000);
});

it.each([
  [12 * 60_000, '12 minutes later'],
  [3_600_000, '1 hour later'],
  [3 * 3_600_000, '3 hours later'],
  [49 * 3_600_000, '2 days later'],
])('%d ms is %s', (ms, words) => {
  expect(formatPause(ms)).toBe(words);
});

const chatSpan = (input: string, output: string) => ({ id: input, input, output, status: 'OK' }) as SpanInTrace;
const chat = (...messages: [string, string][]) => JSON.stringify(messages.map(([role, content]) => ({ role, content })));
const texts = (cards: Card[]) => cards.map((card) => (card.type === 'text' ? `${card.role}: ${card.text}` : card.type));

it('a turn shows only its new messages, even if the program resends all of them', () => {
  const first = chatSpan(chat(['system', 'Be kind.'], ['user', 'Hello']), chat(['assistant', 'Hi']));
  const second = chatSpan(
    chat(['system', 'Be kind.'], ['user', 'Hello'], ['assistant', 'Hi'], ['user', 'Bye']),
    chat(['assistant', 'See you']),
  );
  const opening = turnMessages({ input: first, output: first }, undefined);
  expect([texts(opening.input), texts(opening.output)]).toEqual([['system: Be kind.', 'user: Hello'], ['assistant: Hi']]);
  const next = turnMessages({ input: second, output: second }, { input: first, output: first });
  expect([texts(next.input), texts(next.output)]).toEqual([['user: Bye'], ['assistant: See you']]);
});

it('a turn without reported content has no messages', () => {
  expect(turnMessages({ input: undefined, output: undefined }, undefined)).toEqual({ input: [], output: [] });
});

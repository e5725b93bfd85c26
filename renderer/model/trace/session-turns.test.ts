import { expect, it } from 'vitest';
import type { SpanInTrace } from '../../../shared/contract/tracing/spans.ts';
import type { Card } from './conversation.ts';
import { pauseBefore, pauseWords, turnTalk } from './session-turns.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString();

it('a long silence is told, a short one and an overlap are not', () => {
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
  expect(pauseWords(ms)).toBe(words);
});

const chatSpan = (input: string, output: string) => ({ id: input, input, output, status: 'OK' }) as SpanInTrace;
const chat = (...said: [string, string][]) => JSON.stringify(said.map(([role, content]) => ({ role, content })));
const texts = (cards: Card[]) => cards.map((card) => (card.type === 'text' ? `${card.role}: ${card.text}` : card.type));

it('a turn shows what it adds, though the program sends all again', () => {
  const first = chatSpan(chat(['system', 'Be kind.'], ['user', 'Hello']), chat(['assistant', 'Hi']));
  const second = chatSpan(
    chat(['system', 'Be kind.'], ['user', 'Hello'], ['assistant', 'Hi'], ['user', 'Bye']),
    chat(['assistant', 'See you']),
  );
  const opening = turnTalk({ asks: first, answers: first }, undefined);
  expect([texts(opening.asked), texts(opening.said)]).toEqual([['system: Be kind.', 'user: Hello'], ['assistant: Hi']]);
  const next = turnTalk({ asks: second, answers: second }, { asks: first, answers: first });
  expect([texts(next.asked), texts(next.said)]).toEqual([['user: Bye'], ['assistant: See you']]);
});

it('a turn of which nothing was reported says nothing', () => {
  expect(turnTalk({ asks: undefined, answers: undefined }, undefined)).toEqual({ asked: [], said: [] });
});

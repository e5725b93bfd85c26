import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SpanInTrace } from '../../../shared/contract/tracing/spans.ts';
import type { Card } from './conversation.ts';
import { askedBefore, cutText, formatPause, pauseBefore, turnTalk } from './session-turns.ts';

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

const both = (span: SpanInTrace) => ({ input: span, output: span });

it('history inside a call is apart from what was asked, even if the program resends all of it', () => {
  const first = both(chatSpan(chat(['system', 'Be kind.'], ['user', 'Hello']), chat(['assistant', 'Hi'])));
  const second = both(
    chatSpan(chat(['system', 'Be kind.'], ['user', 'Hello'], ['assistant', 'Hi'], ['user', 'Bye']), chat(['assistant', 'See you'])),
  );
  const opening = turnTalk(first, undefined);
  expect([opening.system, texts(opening.asked), texts(opening.answered)]).toEqual(['Be kind.', ['user: Hello'], ['assistant: Hi']]);
  const next = turnTalk(second, first);
  expect([next.system, texts(next.history), texts(next.asked), texts(next.answered)]).toEqual([
    'Be kind.',
    ['user: Hello', 'assistant: Hi'],
    ['user: Bye'],
    ['assistant: See you'],
  ]);
});

it('a question that is asked again in a new run is shown, with and without history', () => {
  const first = both(chatSpan(chat(['system', 'Be kind.'], ['user', 'Hello']), chat(['assistant', 'Hi'])));
  expect(texts(turnTalk(first, first).asked)).toEqual(['user: Hello']);
  expect(turnTalk(first, first).question).toBe('Hello');
  const resent = both(chatSpan(chat(['user', 'Hello'], ['assistant', 'Hi'], ['user', 'Hello']), ''));
  expect(texts(turnTalk(resent, first).asked)).toEqual(['user: Hello']);
  const asText = both(chatSpan('Hello', 'Hi'));
  expect(texts(turnTalk(asText, asText).asked)).toEqual(['user: Hello']);
});

it('a program that resends only the questions has the earlier ones in the history', () => {
  const first = both(chatSpan(chat(['user', 'One']), ''));
  const second = both(chatSpan(chat(['user', 'One'], ['user', 'Two']), ''));
  expect(texts(turnTalk(second, first).asked)).toEqual(['user: Two']);
  expect(texts(turnTalk(second, undefined).asked)).toEqual(['user: One', 'user: Two']);
});

it('no message of a turn is lost, whatever the roles', () => {
  const roles = fc.constantFrom('system', 'developer', 'user', 'assistant', 'tool', 'model', 'function', 'other');
  const messages = fc.array(fc.tuple(roles, fc.stringMatching(/^[a-z]{1,4}$/)), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(messages, messages, (now, then) => {
      const talk = turnTalk(both(chatSpan(chat(...now), '')), both(chatSpan(chat(...then), '')));
      const system = talk.system === '' ? [] : talk.system.split('\n\n');
      const shown = [...talk.history, ...talk.asked].map((card) => (card.type === 'text' ? card.text : ''));
      expect([...system, ...shown]).toEqual(now.map(([, text]) => text));
    }),
  );
});

it('a turn without reported content has no messages', () => {
  expect(turnTalk({ input: undefined, output: undefined }, undefined)).toEqual({
    ...{ system: '', history: [], asked: [], answered: [], question: '' },
  });
});

it('the first turn with the same question is found, and none for a turn without one', () => {
  const turns = ['a', 'b', 'a', '', 'a', ''].map((input_preview) => ({ input_preview }));
  expect(turns.map((_, index) => askedBefore(turns, index))).toEqual([-1, -1, 0, -1, 0, -1]);
});

it('a long text is cut between characters, and its true length is kept', () => {
  expect(cutText('x'.repeat(1600))).toBeNull();
  expect(cutText('x'.repeat(18_312))).toEqual({ head: 'x'.repeat(1200), shown: 1200, length: 18_312 });
  expect(cutText(`${'x'.repeat(1199)}${'🙂'.repeat(400)}`)?.head).toBe('x'.repeat(1199));
});

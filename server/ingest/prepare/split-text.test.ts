import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { pieceLengthMin, splitText } from './split-text.ts';

const joined = (text: string) => {
  const { pieces, tail } = splitText(text);
  return pieces.join('') + tail;
};

const message = fc.record({
  role: fc.constantFrom('user', 'assistant', 'tool'),
  content: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 50 }),
    fc.string({ unit: fc.constantFrom('a', '"', '\\', '[', '{', ']', '}', ','), minLength: 900, maxLength: 1500 }),
    fc.array(fc.record({ type: fc.constant('text'), text: fc.string({ maxLength: 800 }) }), { maxLength: 4 }),
  ),
});
const history = fc.array(message, { minLength: 1, maxLength: 12 });

describe('a text in pieces', () => {
  it('is the same text when joined, whatever it is', () => {
    const hostile = fc.string({ unit: fc.constantFrom('[', ']', '{', '}', ',', '"', '\\', 'x'.repeat(400)), maxLength: 60 });
    const conversation = history.map((messages) => JSON.stringify(messages));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), hostile, conversation), (text) => {
        expect(joined(text)).toBe(text);
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  it('has no piece below the minimum length', () => {
    fc.assert(
      fc.property(history, (messages) => {
        const { pieces, tail } = splitText(JSON.stringify(messages));
        for (const piece of pieces) expect(piece.length).toBeGreaterThanOrEqual(pieceLengthMin);
        expect(tail.length).toBeLessThan(pieceLengthMin);
      }),
    );
  });

  it('is one piece when it is not JSON', () => {
    const prose = 'All work and no play, '.repeat(500);
    expect(splitText(prose)).toEqual({ pieces: [prose], tail: '' });
  });
});

describe('a growing history', () => {
  const wrapped: [name: string, wrap: (messages: unknown[]) => unknown][] = [
    ['a bare list of messages', (messages) => messages],
    ['messages inside an object', (messages) => ({ messages })],
  ];

  it.each(wrapped)('shares all but the newest piece of each step with the next step: %s', (_, wrap) => {
    fc.assert(
      fc.property(history, message, (messages, next) => {
        const before = splitText(JSON.stringify(wrap(messages))).pieces;
        const after = splitText(JSON.stringify(wrap([...messages, next]))).pieces;
        const shared = before.slice(0, -1);
        expect(after.slice(0, shared.length)).toEqual(shared);
      }),
    );
  });

  it('stores each message about once over fifty steps, not fifty times', () => {
    const messages = Array.from({ length: 50 }, (_, step) => ({ role: 'user', content: `${step} `.repeat(400) }));
    const steps = messages.map((_, step) => JSON.stringify(messages.slice(0, step + 1)));
    const pieces = new Set(steps.flatMap((text) => splitText(text).pieces));
    const stored = [...pieces].reduce((size, piece) => size + piece.length, 0);
    expect(stored).toBeLessThan(3 * (steps.at(-1)?.length ?? 0));
    expect(stored).toBeLessThan(steps.reduce((size, text) => size + text.length, 0) / 8);
  });
});

import { expect, it } from 'vitest';
import { lastSpanText, progressOf, runningText } from './running.ts';

const minute = 60_000;
const started = progressOf({ start: '2026-01-01T00:00:00.000Z', end: '2026-01-01T00:01:00.000Z' });

it('a trace runs until 15 minutes after its last span, and has then never ended', () => {
  expect(runningText(started, started.startMs + 90_000)).toBe('Running 1 min');
  expect(runningText(started, started.lastMs + 15 * minute)).toBe('Running 16 min');
  expect(runningText(started, started.lastMs + 15 * minute + 1)).toBe('Never ended');
});

it('a clock that is behind that of the sender shows no negative time', () => {
  expect(runningText(started, started.startMs - 5000)).toBe('Running 0 s');
  expect(lastSpanText(started, started.startMs)).toBe('The last span is from 0 s ago');
});

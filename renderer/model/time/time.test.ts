import { expect, it } from 'vitest';
import { exactly, since, unixNano, when } from './time.ts';

const now = new Date(2026, 10, 21, 14, 3, 21);
const iso = (...parts: [number, number, number, number, number, number]) => new Date(...parts).toISOString();

it('shows the time today, the day this year, and the year of earlier dates', () => {
  expect(when(iso(2026, 10, 21, 9, 5, 7), now)).toBe('09:05:07');
  expect(when(iso(2026, 10, 20, 9, 5, 7), now)).toBe('20 Nov 09:05');
  expect(when(iso(2025, 5, 15, 9, 5, 7), now)).toBe('15 Jun 2025');
});

it('returns an invalid time unchanged', () => {
  expect(when('yesterday', now)).toBe('yesterday');
  expect(exactly('yesterday')).toBe('yesterday');
});

it('shows the exact time with its zone', () => {
  expect(exactly(iso(2026, 0, 2, 3, 4, 5))).toMatch(/^2 Jan 2026 03:04:05\.000 [+-]\d\d:\d\d$/);
});

it('reads OTLP nanoseconds beyond what a number can hold', () => {
  const start = unixNano('1763733801000000001');
  const end = unixNano('1763733802500000001');
  expect(start && end && since(start, end)).toBe(1500);
});

it('rejects anything else', () => {
  for (const text of ['', '0', '-1', '1e9', 'now', null, {}]) expect(unixNano(text)).toBeNull();
});

import { expect, it } from 'vitest';
import { type DestinationState, destination } from './contract/operations/destination.ts';
import { summariseDestination } from './destination-words.ts';

const whys = destination.shape.state.shape.why.unwrap().options;
const base = { waiting: { spans: 12, logs: 0, scores: 0, oldest: null }, automatic: true, key: { shown: null, kept: 'durably' } } as const;
const summaryOf = (state: Partial<DestinationState>, change: object = {}) =>
  summariseDestination(
    { ...base, ...change, state: { is: 'waiting', why: null, message: 'it said no', since: null, until: null, ...state } },
    () => '10:31',
    String,
  );

it('every reason has its own line and says what to do or that nothing is needed, and none is shown as ok', () => {
  const lines = whys.map((why) => summaryOf({ why }));
  expect(new Set(lines.map(({ line }) => line)).size).toBe(whys.length);
  for (const { help, tone } of lines) expect([help.length > 20, tone]).not.toEqual([true, 'ok']);
});

it('the line says since when, and how much is left', () => {
  expect(summaryOf({ why: 'offline', since: '2026-01-01T10:31:00Z' }).line).toBe('Offline since 10:31');
  expect(summaryOf({ is: 'sending' }).line).toBe('Sending, 12 spans left');
});

it('a key that comes from the environment is changed there', () => {
  const { help, todo } = summaryOf({ is: 'paused', why: 'key' }, { key: { shown: null, kept: 'environment' } });
  expect([help.includes('GLASSHOUSE_FORWARD_KEY'), todo]).toEqual([true, null]);
});

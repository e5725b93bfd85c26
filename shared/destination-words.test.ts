import { expect, it } from 'vitest';
import { type DestinationState, destination } from './contract/operations/destination.ts';
import { destinationInWords } from './destination-words.ts';

const whys = destination.shape.state.shape.why.unwrap().options;
const base = { waiting: { spans: 12, logs: 0, scores: 0, oldest: null }, automatic: true, key: { shown: null, kept: 'durably' } } as const;
const said = (state: Partial<DestinationState>, change: object = {}) =>
  destinationInWords(
    { ...base, ...change, state: { is: 'waiting', why: null, message: 'it said no', since: null, until: null, ...state } },
    () => '10:31',
    String,
  );

it('every reason has a line of its own, tells what to do or that nothing needs to be done, and none is good', () => {
  const lines = whys.map((why) => said({ why }));
  expect(new Set(lines.map(({ line }) => line)).size).toBe(whys.length);
  for (const { help, tone } of lines) expect([help.length > 20, tone]).not.toEqual([true, 'ok']);
});

it('since when, and how much is left', () => {
  expect(said({ why: 'offline', since: '2026-01-01T10:31:00Z' }).line).toBe('Offline since 10:31');
  expect(said({ is: 'sending' }).line).toBe('Sending, 12 spans left');
});

it('a key that comes from the environment is changed there', () => {
  const { help, todo } = said({ is: 'paused', why: 'key' }, { key: { shown: null, kept: 'environment' } });
  expect([help.includes('GLASSHOUSE_FORWARD_KEY'), todo]).toEqual([true, null]);
});

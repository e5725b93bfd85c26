import { expect, it } from 'vitest';
import { previewInWords, ruleInWords, ruleOf, ruleStateInWords } from './rule-draft.ts';

const fields = { filter: ' status = ERROR ', percent: '5', perDay: '100' };

it('a rule is read from its fields, with numbers that the gateway accepts', () => {
  expect(ruleOf(fields)).toEqual({ filter: 'status = ERROR', sample_percent: 5, max_per_day: 100, paused: false });
  expect(ruleOf({ ...fields, percent: '0.5' })?.sample_percent).toBe(0.5);
  for (const wrong of [{ percent: '0' }, { percent: '101' }, { percent: 'x' }, { perDay: '0' }, { perDay: '1001' }, { perDay: '1.5' }])
    expect(ruleOf({ ...fields, ...wrong })).toBeNull();
});

it('a rule and its preview are told in words', () => {
  const whole = { is_lower_bound: false, is_estimate: false };
  const rule = { filter: 'status = ERROR', sample_percent: 100, max_per_day: 50 };
  expect(ruleInWords(rule)).toBe('Every trace with status = ERROR, at most 50 a day');
  expect(ruleInWords({ ...rule, filter: '', sample_percent: 5 })).toBe('5 % of all traces, at most 50 a day');
  expect(previewInWords({ matching: 14, sampled: 14, ...whole })).toBe('Would have added 14 traces of the last 7 days.');
  expect(previewInWords({ matching: 900, sampled: 45, ...whole, is_estimate: true })).toBe(
    'Would have added about 45 traces of the last 7 days, of 900 that match.',
  );
  expect(previewInWords({ matching: 14, sampled: 14, ...whole, is_lower_bound: true })).toBe(
    'Would have added at least 14 traces of the last 7 days.',
  );
});

it('a rule says what it has done, what it waits for, and what is wrong', () => {
  const [at, later] = ['2026-01-15T09:00:00.000Z', '2026-01-16T00:00:00.000Z'];
  const numbers = { filter: '', sample_percent: 100, max_per_day: 3, added: 2, last_added_at: at };
  const rule = {
    ...numbers,
    queue_id: 'q',
    paused: false,
    active_since: at,
    looked_at: at,
    problem: null,
    created_by: 'me',
    created_at: at,
  };
  const said = (change: Partial<Omit<typeof rule, 'problem'>> & { problem?: 'behind' }) =>
    ruleStateInWords({ ...rule, ...change }, Date.parse(at), () => '14:03');
  expect(said({})).toBe('2 traces added, last looked at 14:03');
  expect(said({ paused: true, active_since: later })).toBe('Paused. 2 traces added');
  expect(said({ active_since: later })).toBe('The limit of the day is reached. 2 traces added, last looked at 14:03');
  expect(said({ problem: 'behind' })).toMatch(/^More traces match than can be looked at/);
});

import { expect, it } from 'vitest';
import { previewInWords, ruleInWords, ruleOf } from './rule-draft.ts';

const fields = { filter: ' status = ERROR ', percent: '5', perDay: '100' };

it('a rule is read from its fields, with numbers that the gateway accepts', () => {
  expect(ruleOf(fields)).toEqual({ filter: 'status = ERROR', sample_percent: 5, max_per_day: 100, paused: false });
  expect(ruleOf({ ...fields, percent: '0.5' })?.sample_percent).toBe(0.5);
  for (const wrong of [{ percent: '0' }, { percent: '101' }, { percent: 'x' }, { perDay: '0' }, { perDay: '1001' }, { perDay: '1.5' }])
    expect(ruleOf({ ...fields, ...wrong })).toBeNull();
});

it('a rule and its preview are told in words', () => {
  const rule = { filter: 'status = ERROR', sample_percent: 100, max_per_day: 50 };
  expect(ruleInWords(rule)).toBe('Every trace with status = ERROR, at most 50 a day');
  expect(ruleInWords({ ...rule, filter: '', sample_percent: 5 })).toBe('5 % of all traces, at most 50 a day');
  expect(previewInWords({ matching: 14, sampled: 14, is_estimate: false })).toBe('Would have added 14 traces of the last 7 days.');
  expect(previewInWords({ matching: 900, sampled: 45, is_estimate: true })).toBe(
    'Would have added about 45 traces of the last 7 days, of 900 that match.',
  );
});

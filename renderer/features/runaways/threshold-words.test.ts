import { describe, expect, it } from 'vitest';
import { runawayRules, runawayThresholds } from '../../../shared/contract/tracing/runaway-rules.ts';
import { readThreshold, thresholdText, typedThreshold } from './threshold-words.ts';

describe('a threshold', () => {
  it('is shown with its unit', () => {
    expect(runawayRules.map((rule) => thresholdText(rule, runawayThresholds[rule].default))).toEqual([
      ...['10 calls', '5 rounds', '$20', '$2 a minute', '80 % of the context window', '8 failed steps', '300 seconds'],
    ]);
    expect(thresholdText('loop', null)).toBe('off');
  });

  it.each(runawayRules)('of %s is read as it is shown, and others are refused with the range', (rule) => {
    const { min, max, default: usual } = runawayThresholds[rule];
    for (const threshold of [min, usual, max]) expect(readThreshold(rule, typedThreshold(rule, threshold))).toBeCloseTo(threshold, 9);
    for (const typed of ['', 'many', '-1', String(max * 1000)])
      expect(readThreshold(rule, typed)).toEqual({ problem: `A number from ${typedThreshold(rule, min)} to ${typedThreshold(rule, max)}` });
  });
});

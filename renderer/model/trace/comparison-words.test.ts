import { describe, expect, it } from 'vitest';
import type { ComparedStep, Comparison, StepPair } from '../../../shared/contract/tracing/comparison.ts';
import { comparisonRows } from './comparison-rows.ts';
import { verdictOf, whatFollowed } from './comparison-words.ts';

const step = (name: string, more: Partial<ComparedStep> = {}): ComparedStep => ({
  ...{
    span_id: 's',
    kind: 'tool',
    name,
    agent: '',
    phase: 'whole',
    failed_attempts: 0,
    text: '',
    start_ms: 0,
    duration_ms: 1,
    tokens: 0,
    cost: 0,
  },
  ...{ is_failed: false, is_running: false },
  ...more,
});
const equal = (name: string, more: Partial<ComparedStep> = {}): StepPair => ({ a: step(name, more), b: step(name, more), differences: [] });
const run = (more: Partial<Comparison['a']> = {}): Comparison['a'] => ({
  ...{
    id: 'x',
    name: 'Refund',
    status: 'OK',
    is_running: false,
    start: '2026-11-20T00:00:00.000Z',
    duration_ms: 1000,
    tokens: 1,
    cost: 0.01,
  },
  ...{ errors: 0, tool_calls: 1, model_calls: 1, prompts: [], steps: 3 },
  ...more,
});
const comparison = (pairs: StepPair[], divergence: number | null, b: Partial<Comparison['b']> = {}): Comparison => ({
  ...{ a: run(), b: run(b), pairs, divergence, is_whole: true },
});
const sentence = (of: Comparison) => {
  const { before, name, after, detail } = verdictOf(of);
  return `${before}${name}${after} ${detail}`;
};
const differing = (pair: Partial<StepPair>): Comparison =>
  comparison([equal('start'), { a: step('look'), b: step('look'), differences: [], ...pair }], 1);

describe('the verdict', () => {
  it('says at which step the runs diverge, and how', () => {
    const sentences = [
      differing({ differences: ['result'] }),
      differing({ differences: ['arguments', 'result'] }),
      differing({ b: null, differences: ['missing'] }),
      differing({ b: step('buy'), differences: ['order'] }),
      differing({ b: step('look', { is_failed: true }), differences: ['result'] }),
      differing({ a: step('gpt', { kind: 'llm' }), differences: ['choice', 'wording'] }),
      differing({ a: step('crew', { kind: 'agent', phase: 'start' }), differences: ['messages'] }),
    ].map(sentence);
    expect(sentences).toEqual(
      [
        'look was asked the same and answered differently.',
        'look was called with different arguments.',
        'look was called only in A.',
        'look and buy came in the opposite order.',
        'look failed only in B.',
        'gpt was given the same input and chose differently.',
        'crew was asked something else.',
      ].map((text) => `The runs diverge at step 2: ${text} Everything before it is equal: 1 step.`),
    );
  });

  it('says when the runs are equal, equal so far, or have nothing in common', () => {
    const pairs = [equal('a'), equal('b')];
    expect(sentence(comparison(pairs, null, { duration_ms: 1400, cost: 0.01 }))).toBe(
      'The runs are equal in all 2 steps. Only times and prices may differ: +400 ms and ±$0 in B.',
    );
    expect(sentence(comparison(pairs, null, { is_running: true }))).toBe('The runs are equal so far. B is still running.');
    const apart: StepPair[] = [
      { a: step('a'), b: null, differences: ['missing'] },
      { a: null, b: step('b'), differences: ['missing'] },
    ];
    expect(sentence(comparison(apart, 0))).toContain('The runs share no step.');
  });

  it('lists what followed: other choices, failures and steps of one run only', () => {
    const failed = step('refund', { is_failed: true, failed_attempts: 2 });
    const pairs: StepPair[] = [
      { a: step('look'), b: step('look'), differences: ['result'] },
      { a: step('gpt', { kind: 'llm' }), b: step('gpt', { kind: 'llm' }), differences: ['messages', 'choice'] },
      { a: step('refund'), b: null, differences: ['missing'] },
      { a: null, b: step('photo'), differences: ['missing'] },
      { a: null, b: failed, differences: ['missing'] },
    ];
    expect(whatFollowed(comparison(pairs, 0))).toEqual([
      { text: 'gpt then chose differently', index: 1, isFailure: false },
      { text: 'refund failed 3 times only in B', index: 4, isFailure: true },
      { text: '2 steps only in B', index: 3, isFailure: false },
      { text: '1 step only in A', index: 2, isFailure: false },
    ]);
    expect(whatFollowed(comparison([equal('a')], null))).toEqual([]);
  });
});

describe('the rows', () => {
  it('fold equal steps to what they were', () => {
    const call = { kind: 'llm' as const };
    const changed: StepPair = { a: step('buy'), b: step('buy'), differences: ['result'] };
    const pairs = [equal('agent'), equal('gpt', call), equal('look'), equal('gpt', call), equal('gpt', call), changed, equal('log')];
    expect(comparisonRows(pairs, false).map((row) => (row.kind === 'pair' ? row.index : `${row.count}: ${row.names}`))).toEqual([
      0,
      1,
      '3: look, 2 model calls',
      5,
      6,
    ]);
    expect(comparisonRows(pairs, true).length).toBe(7);
    expect(comparisonRows([], false)).toEqual([]);
  });
});

import { expect, it } from 'vitest';
import type { ExperimentDetail, ExperimentItem } from '../../../shared/contract/evaluation/experiments.ts';
import { compareRuns, meanScores, shiftOf } from './compare.ts';

const item = (input: string, output: string, scores: Record<string, number> = {}): ExperimentItem => ({
  traceId: `${input} ${output}`,
  itemName: input,
  input,
  expectedOutput: '',
  output,
  latencyMs: 1,
  cost: 0,
  tokens: 0,
  model: '',
  scores: Object.entries(scores).map(([name, score]) => ({ name, score, label: '', reason: '' })),
});

const run = (id: string, items: ExperimentItem[]): ExperimentDetail => ({
  id,
  name: id,
  datasetPath: '',
  promptName: '',
  itemCount: items.length,
  avgLatencyMs: 0,
  totalCost: 0,
  avgScore: null,
  items,
});

it('regressions come first, the largest on top, and unchanged items come last', () => {
  const base = run('base', [item('a', 'x', { s: 1 }), item('b', 'x', { s: 1 }), item('c', 'x', { s: 0.5 }), item('d', 'x', { s: 1 })]);
  const next = run('next', [item('d', 'x', { s: 1 }), item('c', 'y', { s: 0.9 }), item('b', 'y', { s: 0.2 }), item('a', 'y', { s: 0.9 })]);
  expect(compareRuns([base, next]).map(({ id, verdict }) => [id, verdict])).toEqual([
    ['b', 'regressed'],
    ['a', 'regressed'],
    ['c', 'improved'],
    ['d', 'same'],
  ]);
});

it('an item has regressed if any run is worse than the baseline', () => {
  const runs = [1, 1, 0.5].map((score, i) => run(String(i), [item('a', 'x', { s: score })]));
  expect(compareRuns(runs)).toMatchObject([{ verdict: 'regressed', drop: 0.5 }]);
});

it('an item of only one run is incomplete, and repeated inputs are paired in their order', () => {
  const base = run('base', [item('a', 'first'), item('a', 'second')]);
  const next = run('next', [item('a', 'first'), item('b', 'new')]);
  expect(compareRuns([base, next]).map(({ verdict, items }) => [verdict, items.map((runItem) => runItem?.output ?? null)])).toEqual([
    ['incomplete', ['second', null]],
    ['incomplete', [null, 'new']],
    ['same', ['first', 'first']],
  ]);
});

it('a score with a baseline of 0 cannot regress', () => {
  const runs = [0, -1].map((score, i) => run(String(i), [item('a', String(i), { s: score })]));
  expect(compareRuns(runs)).toMatchObject([{ verdict: 'changed', drop: 0 }]);
});

it('means are computed per score name, and shifts are relative to the baseline', () => {
  expect([...meanScores([item('a', '', { s: 1, t: 3 }), item('b', '', { s: 0 })])]).toEqual([
    ['s', 0.5],
    ['t', 3],
  ]);
  expect([shiftOf(2, 3), shiftOf(0, 3), shiftOf(null, 1)]).toEqual([0.5, null, null]);
});

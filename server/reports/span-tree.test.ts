import { expect, it } from 'vitest';
import type { TraceOutline } from '../../shared/contract/tracing/trace-outline.ts';
import { failedStatus, SpanTree } from './span-tree.ts';

/** @param parents index of the parent of each span, -1 for none @param failed the spans that failed */
function treeOf(parents: readonly number[], failed: readonly number[]): SpanTree {
  const failures = new Set(failed);
  const spans = {
    id: parents.map((_, at) => `span ${at}`),
    parent: [...parents],
    status: parents.map((_, at) => (failures.has(at) ? failedStatus : 0)),
  };
  return new SpanTree({ spans } as unknown as TraceOutline);
}

it('failed spans come first, each after those above it, then the others level by level', () => {
  const tree = treeOf([-1, 0, 1, 0, 3, 4], [5]);
  expect(tree.all()).toEqual([0, 1, 2, 3, 4, 5]);
  expect(tree.failedPaths(tree.all())).toEqual([0, 3, 4, 5]);
  expect(tree.byImportance(tree.all())).toEqual([0, 3, 4, 5, 1, 2]);
  expect(tree.byImportance(tree.below(3))).toEqual([3, 4, 5]);
});

it('spans whose parent is missing, or stands after them, are roots', () => {
  expect(treeOf([-1, 2, -1], []).all()).toEqual([0, 1, 2]);
});

it('fifty thousand failures below each other are each told once', () => {
  const parents = Array.from({ length: 50_000 }, (_, at) => at - 1);
  const tree = treeOf(
    parents,
    parents.map((_, at) => at),
  );
  expect(tree.byImportance(tree.all())).toEqual(tree.all());
});

import { expect, it } from 'vitest';
import { aSpan } from '../../fixtures/a-span.ts';
import { aTree } from '../../fixtures/an-outline.ts';
import { graphOfSender, graphOfTree, layOutGraph } from './agent-graph.ts';

const tree = aTree([
  aSpan({ id: 'root', name: 'lead', span_kind: 'agent', duration_ms: 500 }),
  aSpan({ id: 'step', name: 'step', parent_id: 'root', at: 1 }),
  aSpan({ id: 's1', name: 'search', parent_id: 'step', span_kind: 'tool', at: 2, duration_ms: 10 }),
  aSpan({ id: 's2', name: 'search', parent_id: 'root', span_kind: 'tool', at: 20, duration_ms: 30, status: 'ERROR' }),
  aSpan({ id: 'call', name: 'chat', parent_id: 'root', span_kind: 'llm', model: 'gpt', at: 60, cost: 0.5 }),
]);

it('merges the repeated spans of one agent into a step, skipping functions between them', () => {
  const { steps, edges } = graphOfTree(tree);
  expect(steps.map(({ label, kind, spans, failures, durationMs }) => [label, kind, spans.map(tree.idAt), failures, durationMs])).toEqual([
    ['lead', 'agent', ['root'], 0, 500],
    ['search', 'tool', ['s1', 's2'], 1, 40],
    ['gpt', 'llm', ['call'], 0, 100],
  ]);
  expect(edges).toEqual([
    { from: 0, to: 1, count: 2 },
    { from: 0, to: 2, count: 1 },
  ]);
});

it('builds the graph that the sender describes, including cycles', () => {
  const node = (nodeId: string, parentNodeId: string, spanId: string) => ({
    nodeId,
    parentNodeId,
    spanId,
    nodeType: 'agent',
    displayName: nodeId,
    spanName: '',
  });
  const graph = graphOfSender(tree, [node('a', 'b', 'root'), node('b', 'a', 's1'), node('b', 'gone', 's2'), node('c', 'b', 'unknown')]);
  expect(graph.steps.map(({ label, spans }) => [label, spans.length])).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
  expect(graph.edges).toEqual([
    { from: 1, to: 0, count: 1 },
    { from: 0, to: 1, count: 1 },
  ]);
  expect(layOutGraph(graph).rows).not.toContain(-1);
});

it('places each callee to the right of its caller, in a row of its own', () => {
  const { columns, rows, columnCount, rowCount } = layOutGraph(graphOfTree(tree));
  expect({ columns, rows, columnCount, rowCount }).toEqual({ columns: [0, 1, 1], rows: [0, 0, 1], columnCount: 2, rowCount: 2 });
});

import { expect, it } from 'vitest';
import { aSpan } from '../../fixtures/a-span.ts';
import { aTree } from '../../fixtures/an-outline.ts';
import { causesBelow, workBelow } from './work-below.ts';

const run = () =>
  aTree([
    aSpan({ id: 'root', span_kind: 'agent', name: 'research', duration_ms: 9000 }),
    aSpan({ id: 'm1', parent_id: 'root', span_kind: 'llm', name: 'chat', model: 'gpt-5', duration_ms: 100, at: 1, tokens: 10, cost: 0.1 }),
    aSpan({ id: 't1', parent_id: 'root', span_kind: 'tool', name: 'web_search', duration_ms: 300, at: 2, status: 'ERROR' }),
    aSpan({ id: 't2', parent_id: 'root', span_kind: 'tool', name: 'web_search', duration_ms: 500, at: 3 }),
    aSpan({
      id: 'sub',
      parent_id: 'root',
      span_kind: 'agent',
      name: 'invoke_agent fact-checker',
      duration_ms: 4000,
      at: 4,
      status: 'ERROR',
    }),
    aSpan({
      id: 'm2',
      parent_id: 'sub',
      span_kind: 'llm',
      name: 'chat',
      model: 'gpt-5',
      duration_ms: 200,
      at: 5,
      tokens: 30,
      cost: 0.3,
      status: 'ERROR',
    }),
    aSpan({ id: 'f', parent_id: 'root', span_kind: 'function', name: 'parse', duration_ms: 5000, at: 6 }),
  ]);

const rows = (tree: ReturnType<typeof run>, at = 0) =>
  workBelow(tree.node(at)).map(({ kind, name, calls, errors, time, mean, p95, max, slowest, tokens, cost }) => ({
    ...{ kind, name, calls, errors, time, mean, p95, max, slowest: slowest.id, tokens, cost },
  }));

it('agents, models and tools are counted each with times, tokens and cost; functions are not', () => {
  expect(rows(run())).toEqual([
    {
      kind: 'agent',
      name: 'fact-checker',
      calls: 1,
      errors: 1,
      time: 4000,
      mean: 4000,
      p95: null,
      max: 4000,
      slowest: 'sub',
      tokens: 30,
      cost: 0.3,
    },
    { kind: 'llm', name: 'gpt-5', calls: 2, errors: 1, time: 300, mean: 150, p95: null, max: 200, slowest: 'm2', tokens: 40, cost: 0.4 },
    { kind: 'tool', name: 'web_search', calls: 2, errors: 1, time: 800, mean: 400, p95: null, max: 500, slowest: 't2', tokens: 0, cost: 0 },
  ]);
  expect(rows(run(), 6)).toEqual([]);
});

it('a 95th percentile is of twenty calls or more', () => {
  const calls = Array.from({ length: 20 }, (_, at) =>
    aSpan({ id: `t${at}`, parent_id: 'root', span_kind: 'tool', name: 'find', duration_ms: at + 1, at: at + 1 }),
  );
  const [row] = rows(aTree([aSpan({ id: 'root', duration_ms: 100 }), ...calls]));
  expect(row).toMatchObject({ calls: 20, p95: 19, max: 20, mean: 10.5 });
});

it('the causes of errors are the failed spans without failed spans below', () => {
  expect(causesBelow(run().node(0)).map(({ id }) => id)).toEqual(['t1', 'm2']);
  expect(causesBelow(run().node(1)).map(({ id }) => id)).toEqual([]);
});

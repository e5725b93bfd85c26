import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aSpan } from '../../fixtures/a-span.ts';
import { aTree } from '../../fixtures/an-outline.ts';
import { criticalPath } from './critical-path.ts';
import { repeatsOf } from './repeats.ts';
import { foundRows, indexOfRow, largest, namedSpans, nextOf, unfoldedRows } from './span-rows.ts';
import type { SpanTree } from './span-tree.ts';
import { isAgentRun, isHot, traceFacts } from './trace-facts.ts';

const outlineText = (tree: SpanTree) => tree.nodes.map(({ id, depth }) => `${' '.repeat(depth)}${id}`);
const ids = (tree: SpanTree, positions: Int32Array) => [...positions].map(tree.idAt);

const family = () =>
  aTree([
    aSpan({ id: 'root', duration_ms: 1000 }),
    aSpan({ id: 'a', parent_id: 'root', at: 10, duration_ms: 400, name: 'plan', status: 'ERROR' }),
    aSpan({ id: 'a1', parent_id: 'a', at: 20, duration_ms: 100 }),
    aSpan({ id: 'a2', parent_id: 'a', at: 70, duration_ms: 100, status: 'ERROR', model: 'Planet-1' }),
    aSpan({ id: 'b', parent_id: 'root', at: 500, duration_ms: 300 }),
  ]);

describe('span tree', () => {
  it('puts children under their parents, in order of time', () => {
    expect(outlineText(family())).toEqual(['root', ' a', '  a1', '  a2', ' b']);
    expect([...family().below]).toEqual([4, 2, 0, 0, 0]);
    expect(family().childrenOf(0)).toEqual([1, 4]);
  });

  it('keeps a span whose parent never arrived as a root', () => {
    const tree = aTree([aSpan({ id: 'x', parent_id: 'lost' }), aSpan({ id: 'y', parent_id: 'x' })]);
    expect(outlineText(tree)).toEqual(['x', ' y']);
    expect(tree.node(0).detached).toBe('orphan');
  });

  it('cuts a cycle of parents at its earliest span', () => {
    const tree = aTree([
      aSpan({ id: 'late', parent_id: 'tail', at: 9 }),
      aSpan({ id: 'early', parent_id: 'late', at: 1 }),
      aSpan({ id: 'tail', parent_id: 'early', at: 5 }),
      aSpan({ id: 'leaf', parent_id: 'late', at: 10 }),
      aSpan({ id: 'self', parent_id: 'self', at: 11 }),
    ]);
    expect(outlineText(tree)).toEqual(['early', ' tail', '  late', '   leaf', 'self']);
    expect(tree.nodes.map((node) => node.detached)).toEqual(['cycle', null, null, null, 'cycle']);
  });

  it('counts the usage of a wrapper that repeats its calls once', () => {
    const call = { span_kind: 'llm', cost_source: 'computed', input_tokens: 10, output_tokens: 5, tokens: 15, cost: 0.1 } as const;
    const tree = aTree([
      aSpan({ ...call, id: 'wrapper', input_tokens: 20, output_tokens: 10, tokens: 30, cost: 0, cost_source: 'none' }),
      aSpan({ ...call, id: 'one', parent_id: 'wrapper', at: 1 }),
      aSpan({ ...call, id: 'two', parent_id: 'wrapper', at: 2, cost: 0, cost_source: 'none' }),
    ]);
    expect(tree.node(0).totals).toMatchObject({ input_tokens: 20, output_tokens: 10, tokens: 30, cost: 0.1, unpriced: 1 });
  });

  it('subtracts parallel children from the time of their parent once', () => {
    expect(family().find('a')?.self).toBe(250);
    expect(family().find('root')?.self).toBe(300);
  });

  it('tells failed spans from those that caused the failure', () => {
    const tree = family();
    expect([ids(tree, tree.failedAt), ids(tree, tree.causes)]).toEqual([['a', 'a2'], ['a2']]);
  });

  it('extends a pending span to the moment the trace was read', () => {
    const tree = aTree(
      [aSpan({ id: 'root', duration_ms: 0, pending: true } as never), aSpan({ id: 'a', parent_id: 'root', at: 10 })],
      5000,
    );
    expect([tree.horizon, tree.durationAt(0), tree.durationAt(1)]).toEqual([5000, 5000, 100]);
  });

  it('lists every span exactly once, whatever its parent, and parents before their children', () => {
    const parents = fc.array(fc.option(fc.nat(11), { nil: null }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(parents, (parents) => {
        const tree = aTree(parents.map((parent, i) => aSpan({ id: `s${i}`, parent_id: parent === null ? null : `s${parent}`, at: i })));
        expect(tree.nodes.map((node) => node.id).sort()).toEqual(parents.map((_, i) => `s${i}`).sort());
        tree.parent.forEach((parent, at) => {
          expect(parent).toBeLessThan(at);
          if (parent >= 0) expect(at).toBeLessThanOrEqual(parent + (tree.below[parent] as number));
        });
      }),
    );
  });

  it('builds a chain of 20 000 levels without recursion', () => {
    const spans = Array.from({ length: 20_000 }, (_, i) => aSpan({ id: `s${i}`, parent_id: i ? `s${i - 1}` : null, at: i }));
    const chain = aTree(spans);
    expect(chain.depth.at(-1)).toBe(19_999);
    expect(criticalPath(chain).at.length).toBeGreaterThan(0);
  });
});

describe('critical path', () => {
  /** `span from-to` for every part of the chain, in order of time. */
  const chain = (tree: SpanTree) => {
    const { at, from, to } = criticalPath(tree);
    return [...at.keys()]
      .sort((a, b) => (from[a] as number) - (from[b] as number))
      .map((i) => `${tree.idAt(at[i] as number)} ${from[i]}-${to[i]}`);
  };

  it('follows the spans that the end waited for, without those that ran in parallel', () => {
    const tree = aTree([
      aSpan({ id: 'root', duration_ms: 100 }),
      aSpan({ id: 'quick', parent_id: 'root', at: 10, duration_ms: 20 }),
      aSpan({ id: 'slow', parent_id: 'root', at: 15, duration_ms: 50 }),
      aSpan({ id: 'last', parent_id: 'root', at: 70, duration_ms: 20 }),
    ]);
    expect(chain(tree)).toEqual(['root 0-15', 'slow 15-65', 'root 65-70', 'last 70-90', 'root 90-100']);
  });

  it('cuts a child that outlives its parent', () => {
    const tree = aTree([aSpan({ id: 'root', duration_ms: 50 }), aSpan({ id: 'long', parent_id: 'root', at: 10, duration_ms: 500 })]);
    expect(chain(tree)).toEqual(['root 0-10', 'long 10-50']);
  });

  it('covers the time of the root without gaps or overlaps', () => {
    const shape = fc.array(fc.record({ parent: fc.nat(9), at: fc.nat(50), duration_ms: fc.integer({ min: 1, max: 60 }) }), {
      maxLength: 10,
    });
    fc.assert(
      fc.property(shape, (parents) => {
        const tree = aTree([
          aSpan({ id: 's0', duration_ms: 120 }),
          ...parents.map(({ parent, ...rest }, i) => aSpan({ ...rest, id: `s${i + 1}`, parent_id: `s${Math.min(parent, i)}` })),
        ]);
        const { from, to } = criticalPath(tree);
        const total = [...from.keys()].reduce((sum, i) => sum + (to[i] as number) - (from[i] as number), 0);
        expect(total).toBe(120);
      }),
    );
  });
});

describe('rows', () => {
  it('skips the children of folded spans', () => {
    const tree = family();
    expect(ids(tree, unfoldedRows(tree, new Set(['a', 'gone'])))).toEqual(['root', 'a', 'b']);
    expect(unfoldedRows(tree, new Set()).length).toBe(5);
  });

  it('shows repeated plain steps once, and a failed step separately', () => {
    const step = (n: number, more = {}) => aSpan({ id: `s${n}`, name: 'read', parent_id: 'root', span_kind: 'tool', at: n, ...more });
    const tree = aTree([
      aSpan({ id: 'root', duration_ms: 1000 }),
      ...[1, 2, 3, 4, 5].map((n) => step(n)),
      step(6, { status: 'ERROR' }),
      ...[7, 8, 9].map((n) => step(n)),
      step(10, { name: 'write' }),
    ]);
    const { length, first } = repeatsOf(tree);
    expect(ids(tree, unfoldedRows(tree, new Set(), length))).toEqual(['root', 's1', 's6', 's7', 's8', 's9', 's10']);
    expect([length[1], first[3], first[6], first[7]]).toEqual([5, 1, -1, -1]);
  });

  it('finds text in names and models, ignoring case, and shows the ancestors', () => {
    const tree = family();
    const found = namedSpans(tree, ' PLAN ');
    expect(ids(tree, found)).toEqual(['a', 'a2']);
    expect(ids(tree, foundRows(tree, found.slice(1)))).toEqual(['root', 'a', 'a2']);
    expect([...namedSpans(tree, '  ')]).toEqual([]);
  });

  it('steps to the next match and wraps around', () => {
    const positions = Int32Array.of(1, 3);
    expect([
      nextOf(positions, -1, 1),
      nextOf(positions, 1, 1),
      nextOf(positions, 3, 1),
      nextOf(positions, 1, -1),
      nextOf(positions, 4, -1),
    ]).toEqual([1, 3, 1, 3, 3]);
    expect(nextOf(new Int32Array(0), 1, 1)).toBeUndefined();
    expect([indexOfRow(positions, 3), indexOfRow(positions, 2)]).toEqual([1, -1]);
  });

  it('ranks by value and leaves out zeros', () => {
    expect([...largest(Float64Array.of(1, 0, 5, 5), 3)]).toEqual([2, 3, 0]);
  });
});

describe('trace facts', () => {
  it('measures from the first start to the last end and counts parallel model time once', () => {
    const tree = aTree([
      aSpan({ id: 'root', duration_ms: 100, service_name: 'shop' }),
      aSpan({ id: 'm1', parent_id: 'root', span_kind: 'llm', model: 'm', at: 50, duration_ms: 100 }),
      aSpan({ id: 'm2', parent_id: 'root', span_kind: 'llm', model: 'm', at: 100, duration_ms: 100 }),
      aSpan({ id: 't', parent_id: 'root', span_kind: 'tool', at: 100, duration_ms: 20 }),
    ]);
    const facts = traceFacts(tree);
    expect(facts).toMatchObject({ wall: 200, model: 150, tools: 20, models: ['m'], services: ['shop'], pending: 0 });
    const hot = (id: string) => isHot(tree.find(id)?.self ?? 0, facts, tree);
    expect([hot('m1'), hot('t')]).toEqual([true, false]);
  });

  it('recognises an agent run by an agent span, or by several model calls with tools', () => {
    const call = (id: string) => aSpan({ id, type: 'GENERATION', span_kind: 'llm' });
    const tool = aSpan({ id: 't', span_kind: 'tool' });
    expect(
      [[call('a'), tool], [call('a'), call('b'), tool], [aSpan({ id: 'x', span_kind: 'agent' })]].map((spans) => isAgentRun(aTree(spans))),
    ).toEqual([false, true, true]);
  });
});

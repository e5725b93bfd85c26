import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aSpan } from '../fixtures/a-span.ts';
import { findSpans, foundRows, nextOf, unfoldedRows } from './span-rows.ts';
import { ancestors, buildSpanTree } from './span-tree.ts';
import { isHot, traceFacts } from './trace-facts.ts';

const drawn = (tree: ReturnType<typeof buildSpanTree>) => tree.nodes.map(({ span, depth }) => `${' '.repeat(depth)}${span.id}`);

const family = () =>
  buildSpanTree([
    aSpan({ id: 'root', duration_ms: 1000 }),
    aSpan({ id: 'a', parent_id: 'root', at: 10, duration_ms: 400, name: 'plan', status: 'ERROR' }),
    aSpan({ id: 'a1', parent_id: 'a', at: 20, duration_ms: 100 }),
    aSpan({ id: 'a2', parent_id: 'a', at: 70, duration_ms: 100, status: 'ERROR', status_message: 'Planet missing' }),
    aSpan({ id: 'b', parent_id: 'root', at: 500, duration_ms: 300, output: 'the Plan works' }),
  ]);

describe('span tree', () => {
  it('puts children under their parents, in the order received', () => {
    expect(drawn(family())).toEqual(['root', ' a', '  a1', '  a2', ' b']);
    expect(family().nodes.map((node) => node.below)).toEqual([4, 2, 0, 0, 0]);
  });

  it('keeps a span whose parent never arrived, at the top', () => {
    const tree = buildSpanTree([aSpan({ id: 'x', parent_id: 'lost' }), aSpan({ id: 'y', parent_id: 'x' })]);
    expect(drawn(tree)).toEqual(['x', ' y']);
    expect(tree.roots[0]?.detached).toBe('orphan');
  });

  it('cuts a ring of parents at its earliest span', () => {
    const tree = buildSpanTree([
      aSpan({ id: 'late', parent_id: 'tail', at: 9 }),
      aSpan({ id: 'early', parent_id: 'late', at: 1 }),
      aSpan({ id: 'tail', parent_id: 'early', at: 5 }),
      aSpan({ id: 'leaf', parent_id: 'late', at: 10 }),
      aSpan({ id: 'self', parent_id: 'self' }),
    ]);
    expect(drawn(tree)).toEqual(['early', ' tail', '  late', '   leaf', 'self']);
    expect(tree.roots.map((root) => root.detached)).toEqual(['cycle', 'cycle']);
  });

  it('counts a wrapper that repeats its calls once', () => {
    const call = { span_kind: 'llm', cost_source: 'computed', input_tokens: 10, output_tokens: 5, tokens: 15, cost: 0.1 } as const;
    const tree = buildSpanTree([
      aSpan({ ...call, id: 'wrapper', input_tokens: 20, output_tokens: 10, tokens: 30, cost: 0, cost_source: 'none' }),
      aSpan({ ...call, id: 'one', parent_id: 'wrapper' }),
      aSpan({ ...call, id: 'two', parent_id: 'wrapper', cost: 0, cost_source: 'none' }),
    ]);
    expect(tree.roots[0]?.totals).toMatchObject({ input_tokens: 20, output_tokens: 10, tokens: 30, cost: 0.1, unpriced: 1 });
  });

  it('takes parallel children off the time of their parent once', () => {
    expect(family().byId.get('a')?.self).toBe(250);
    expect(family().byId.get('root')?.self).toBe(300);
  });

  it('draws every span exactly once, whatever the parents say', () => {
    const parents = fc.array(fc.option(fc.nat(11), { nil: null }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(parents, (given) => {
        const tree = buildSpanTree(
          given.map((parent, i) => aSpan({ id: `s${i}`, parent_id: parent === null ? null : `s${parent}`, at: i })),
        );
        expect(tree.nodes.map((node) => node.span.id).sort()).toEqual(given.map((_, i) => `s${i}`).sort());
        for (const node of tree.nodes) expect(tree.nodes[node.order]).toBe(node);
      }),
    );
  });

  it('builds a chain of 20 000 levels without a stack', () => {
    const tree = buildSpanTree(Array.from({ length: 20_000 }, (_, i) => aSpan({ id: `s${i}`, parent_id: i ? `s${i - 1}` : null })));
    expect(tree.nodes.at(-1)?.depth).toBe(19_999);
  });
});

describe('rows', () => {
  it('steps over what is folded', () => {
    expect(unfoldedRows(family(), new Set(['a'])).map((node) => node.span.id)).toEqual(['root', 'a', 'b']);
    expect(unfoldedRows(family(), new Set()).length).toBe(5);
  });

  it('finds words in names, messages and previews, whatever their case', () => {
    const tree = family();
    const found = findSpans(tree, ' PLAN ');
    expect(found.map((node) => node.span.id)).toEqual(['a', 'a2', 'b']);
    expect(foundRows(tree, found.slice(1, 2)).map((node) => node.span.id)).toEqual(['root', 'a', 'a2']);
    expect(findSpans(tree, '  ')).toEqual([]);
  });

  it('goes from error to error and round again', () => {
    const tree = family();
    const ids = (step: 1 | -1, from?: string) => nextOf(tree.errors, from ? tree.byId.get(from) : undefined, step)?.span.id;
    expect([ids(1), ids(1, 'a'), ids(1, 'a2'), ids(-1, 'a'), ids(-1, 'b'), ids(-1)]).toEqual(['a', 'a2', 'a', 'a2', 'a2', 'a2']);
    expect(nextOf([], undefined, 1)).toBeUndefined();
  });

  it('knows everything above a span', () => {
    const a1 = family().byId.get('a1');
    expect(a1 && ancestors(a1).map((node) => node.span.id)).toEqual(['a', 'root']);
  });
});

describe('trace facts', () => {
  it('measures from the first start to the last end and counts parallel model time once', () => {
    const tree = buildSpanTree([
      aSpan({ id: 'root', duration_ms: 100, service_name: 'shop' }),
      aSpan({ id: 'm1', parent_id: 'root', span_kind: 'llm', model: 'm', at: 50, duration_ms: 100 }),
      aSpan({ id: 'm2', parent_id: 'root', span_kind: 'llm', model: 'm', at: 100, duration_ms: 100 }),
      aSpan({ id: 't', parent_id: 'root', span_kind: 'tool', at: 100, duration_ms: 20 }),
    ]);
    const facts = traceFacts(tree);
    expect(facts).toMatchObject({ wall: 200, model: 150, tools: 20, models: ['m'], services: ['shop'] });
    const hot = (id: string) => isHot(tree.byId.get(id)?.self as never, facts, tree);
    expect([hot('m1'), hot('t')]).toEqual([true, false]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../fixtures/property-runs.ts';
import { byTime, endUs, type TraceRollup, TraceTree, type TreeSpan as TreeSpanOf } from './trace-tree.ts';

type TreeSpan = TreeSpanOf<number, number>;

const plain: Omit<TreeSpan, 'row' | 'span_id'> = {
  parent_id: null,
  start_us: 1_000_000,
  start_rest_ns: 0,
  duration_ns: 1_000_000,
  status: 0,
  generation: false,
  bookkeeping: false,
  pending: false,
  placeholder: false,
  has_input: false,
  has_output: false,
  cost: null,
  tokens: null,
  input_tokens: null,
  output_tokens: null,
  name: 0,
  trace_name: 0,
  session: 0,
  user: 0,
  metadata: 0,
};

let rows = 0;
const aSpan = (span_id: string, parts: Partial<TreeSpan> = {}): TreeSpan => ({ ...plain, row: ++rows, span_id, ...parts });

const expectNoRead = () => {
  throw new Error('no content should be read');
};

function rollUp(
  spans: TreeSpan[],
  readContent: Parameters<TraceTree<number, number>['rollUp']>[0] = expectNoRead,
): TraceRollup<number, number> {
  const tree = new TraceTree<number, number>();
  for (const span of spans) tree.put({ ...span });
  const rollup = tree.rollUp(readContent);
  if (!rollup) throw new Error('the trace is not visible');
  return rollup;
}

describe('the root of a trace', () => {
  it('is the earliest span without a parent, though a child started before it', () => {
    const { root } = rollUp([aSpan('child', { parent_id: 'late', start_us: 1 }), aSpan('later', { start_us: 9 }), aSpan('late')]);
    expect(root.span_id).toBe('later');
  });

  it('is the earliest span whose parent has not arrived, when all have one', () => {
    const { root } = rollUp([aSpan('b', { parent_id: 'gone', start_us: 5 }), aSpan('a', { parent_id: 'gone', start_us: 7 })]);
    expect(root.span_id).toBe('b');
  });

  it('is a span without a parent before an earlier orphan', () => {
    const { root } = rollUp([aSpan('orphan', { parent_id: 'gone', start_us: 1 }), aSpan('root', { start_us: 9 })]);
    expect(root.span_id).toBe('root');
  });

  it('is determined by nanoseconds, then by id', () => {
    expect(rollUp([aSpan('a', { start_rest_ns: 2 }), aSpan('b', { start_rest_ns: 1 })]).root.span_id).toBe('b');
    expect(rollUp([aSpan('b'), aSpan('a')]).root.span_id).toBe('a');
  });

  it('does not exist while only placeholders have arrived', () => {
    const tree = new TraceTree<number, number>();
    expect(tree.rollUp(expectNoRead)).toBeNull();
    tree.put(aSpan('start', { placeholder: true }));
    expect(tree.rollUp(expectNoRead)).toBeNull();
    expect(tree.size).toBe(1);
  });
});

describe('usage', () => {
  const usage = (cost: number, tokens: number) => ({ cost, tokens, input_tokens: tokens - 1, output_tokens: 1 });

  it('of a wrapper that repeats its children is not added to them', () => {
    const spans = [
      aSpan('agent', usage(0.05, 100)),
      aSpan('one', { parent_id: 'agent', ...usage(0.02, 40) }),
      aSpan('two', { parent_id: 'agent', ...usage(0.02, 40) }),
    ];
    expect(rollUp(spans)).toMatchObject({ cost: 0.05, tokens: 100, input_tokens: 99, output_tokens: 2 });
  });

  it('of children counts where the wrapper reports less or nothing', () => {
    const children = [aSpan('one', { parent_id: 'agent', ...usage(0.02, 40) }), aSpan('two', { parent_id: 'agent', ...usage(0.02, 40) })];
    expect(rollUp([aSpan('agent', usage(0.01, 90)), ...children])).toMatchObject({ cost: 0.04, tokens: 90 });
    expect(rollUp([aSpan('agent'), ...children])).toMatchObject({ cost: 0.04, tokens: 80 });
  });

  it('is determined independently at every level', () => {
    const spans = [
      aSpan('root', usage(0.03, 10)),
      aSpan('step', { parent_id: 'root', ...usage(0.5, 1) }),
      aSpan('call', { parent_id: 'step', ...usage(0.2, 30) }),
      aSpan('other', { parent_id: 'root', ...usage(0.1, 5) }),
    ];
    expect(rollUp(spans)).toMatchObject({ cost: 0.6, tokens: 35 });
  });

  it('of several roots and orphans adds up', () => {
    const spans = [aSpan('a', usage(0.1, 1)), aSpan('b', usage(0.2, 2)), aSpan('c', { parent_id: 'gone', ...usage(0.4, 4) })];
    expect(rollUp(spans)).toMatchObject({ cost: 0.7, tokens: 7 });
  });

  it('is exact to the last digit that a price can have, however many calls there were', () => {
    const calls = Array.from({ length: 30_000 }, (_, index) => aSpan(`call${index}`, { parent_id: 'root', cost: 0.1 + 0.000_000_000_001 }));
    expect(rollUp([aSpan('root'), ...calls]).cost).toBe(3000.000_000_03);
    expect(rollUp([aSpan('a', { cost: 0.1 }), aSpan('b', { cost: 0.2 })]).cost).toBe(0.3);
  });

  it('of absurd size stays a number, and the same in every order', () => {
    const costs = [9_000, 123_456.789_012_345, 0.1, 1e12, 0.000_000_000_001];
    const spans = costs.map((cost, index) => aSpan(`s${index}`, { cost, tokens: Number.MAX_SAFE_INTEGER }));
    const { cost, tokens } = rollUp(spans);
    expect(rollUp(spans.toReversed())).toMatchObject({ cost, tokens });
    expect(cost).toBeCloseTo(1e12 + 132_456.889, 3);
    expect(tokens).toBe(Number.MAX_SAFE_INTEGER);
    expect(rollUp([aSpan('a', { cost: 1e308 }), aSpan('b', { cost: 1e308 })]).cost).toSatisfy(Number.isFinite);
  });
});

describe('an unusual tree', () => {
  it('of 100,000 spans in one chain is processed without recursion', () => {
    const chain = Array.from({ length: 100_000 }, (_, index) =>
      aSpan(`s${index}`, { parent_id: index === 0 ? null : `s${index - 1}`, cost: index === 99_999 ? 0.25 : null, start_us: index }),
    );
    expect(rollUp(chain)).toMatchObject({ cost: 0.25, span_count: 100_000, root: { span_id: 's0' } });
    expect(rollUp(chain.toReversed())).toMatchObject({ cost: 0.25, span_count: 100_000 });
  });

  it('of 100,000 spans in one cycle is processed too', () => {
    const cycle = Array.from({ length: 100_000 }, (_, index) =>
      aSpan(`s${index}`, { parent_id: `s${(index + 1) % 100_000}`, tokens: 1, start_us: index }),
    );
    expect(rollUp(cycle)).toMatchObject({ tokens: 1, span_count: 100_000, root: { span_id: 's0' } });
  });

  it('of a span that is its own parent has that span as its root', () => {
    const rollup = rollUp([aSpan('self', { parent_id: 'self', cost: 1, duration_ns: 7 })]);
    expect(rollup).toMatchObject({ cost: 1, latency_ns: 7, root: { span_id: 'self' } });
  });

  it('is cut at the earliest span of a cycle, so every span counts once', () => {
    const spans = [
      aSpan('b', { parent_id: 'a', start_us: 2, tokens: 20 }),
      aSpan('c', { parent_id: 'b', start_us: 3, tokens: 30 }),
      aSpan('a', { parent_id: 'c', start_us: 1, tokens: 5, duration_ns: 11, trace_name: 3 }),
      aSpan('leaf', { parent_id: 'b', start_us: 4, tokens: 40, duration_ns: 999 }),
    ];
    // c = 30, b = max(20, 30 + 40), a = max(5, 70)
    expect(rollUp(spans)).toMatchObject({ tokens: 70, latency_ns: 11, name: 3, root: { span_id: 'a' } });
  });

  it('may have several cycles beside a proper tree', () => {
    const spans = [
      aSpan('root', { tokens: 1 }),
      aSpan('a', { parent_id: 'b', tokens: 10 }),
      aSpan('b', { parent_id: 'a', tokens: 10 }),
      aSpan('c', { parent_id: 'd', tokens: 100 }),
      aSpan('d', { parent_id: 'c', tokens: 100 }),
    ];
    expect(rollUp(spans)).toMatchObject({ tokens: 111, root: { span_id: 'root' } });
  });
});

describe('a placeholder', () => {
  const start = aSpan('start', {
    placeholder: true,
    parent_id: 'root',
    cost: 9,
    tokens: 9,
    status: 2,
    start_us: 1,
    duration_ns: 1e12,
    session: 4,
  });

  it('counts nowhere', () => {
    const rollup = rollUp([start, aSpan('root', { session: 1 })]);
    expect(rollup).toMatchObject({
      span_count: 1,
      error_count: 0,
      cost: 0,
      tokens: 0,
      status: 0,
      start_us: 1_000_000,
      latency_ns: 1e6,
      session: 1,
    });
  });

  it('hands its children to its own parent', () => {
    const rollup = rollUp([start, aSpan('root', { cost: 5 }), aSpan('child', { parent_id: 'start', cost: 3, duration_ns: 1e9 })]);
    expect(rollup).toMatchObject({ cost: 5, latency_ns: 1e6, span_count: 2 });
  });

  it('without a parent leaves its children as roots', () => {
    const rollup = rollUp([{ ...start, parent_id: null }, aSpan('child', { parent_id: 'start', cost: 3, duration_ns: 77 })]);
    expect(rollup).toMatchObject({ cost: 3, latency_ns: 77, root: { span_id: 'child' } });
  });

  it('may be in a cycle of placeholders', () => {
    const cycle = [aSpan('x', { placeholder: true, parent_id: 'y' }), aSpan('y', { placeholder: true, parent_id: 'x' })];
    expect(rollUp([...cycle, aSpan('child', { parent_id: 'x', cost: 3 })])).toMatchObject({ cost: 3, root: { span_id: 'child' } });
  });

  it('is replaced by its span', () => {
    const tree = new TraceTree<number, number>();
    tree.put(start);
    tree.put({ ...start, placeholder: false });
    expect(tree.rollUp(expectNoRead)).toMatchObject({ span_count: 1, cost: 9 });
  });
});

describe('status', () => {
  it.each([
    ['UNSET before nothing', [0, 0], 0],
    ['OK before UNSET', [0, 1], 1],
    ['ERROR before OK', [1, 2, 1], 2],
  ] as const)('of several roots is %s', (_, statuses, status) => {
    expect(rollUp(statuses.map((spanStatus, index) => aSpan(`s${index}`, { status: spanStatus }))).status).toBe(status);
  });

  it('is not that of a failed child, which is counted', () => {
    const rollup = rollUp([aSpan('root', { status: 1 }), aSpan('child', { parent_id: 'root', status: 2 })]);
    expect(rollup).toMatchObject({ status: 1, error_count: 1 });
  });

  it('is not that of an orphan beside a root', () => {
    expect(rollUp([aSpan('root', { status: 1 }), aSpan('orphan', { parent_id: 'gone', status: 2 })]).status).toBe(1);
  });

  it('is the worst of all spans while no root has arrived', () => {
    const spans = [aSpan('orphan', { parent_id: 'gone' }), aSpan('child', { parent_id: 'orphan', status: 2 })];
    expect(rollUp(spans).status).toBe(2);
  });
});

describe('times', () => {
  it('run from the first start to the last end; latency is that of the longest root', () => {
    const spans = [
      aSpan('root', { start_us: 100, duration_ns: 1_000_000 }),
      aSpan('child', { parent_id: 'root', start_us: 600, duration_ns: 5_000_000 }),
      aSpan('orphan', { parent_id: 'gone', start_us: 90, duration_ns: 1_200_000 }),
    ];
    expect(rollUp(spans)).toMatchObject({ start_us: 90, end_us: 5_600, latency_ns: 1_200_000 });
  });

  it('of a pending root extend to the latest end of its trace', () => {
    const pending = aSpan('root', { start_us: 100, duration_ns: 0, pending: true });
    const call = aSpan('call', { parent_id: 'root', start_us: 600, duration_ns: 5_000_000 });
    expect(rollUp([pending, call])).toMatchObject({ end_us: 5_600, latency_ns: 5_500_000, longest_ns: 5_500_000 });
    expect(rollUp([pending])).toMatchObject({ latency_ns: 0, longest_ns: 0 });
    const ended = aSpan('root', { start_us: 100, duration_ns: 1_000_000 });
    expect(rollUp([ended, call])).toMatchObject({ latency_ns: 1_000_000, longest_ns: 5_000_000 });
    const inner = aSpan('call', { parent_id: 'root', start_us: 600, duration_ns: 0, pending: true });
    expect(rollUp([ended, inner])).toMatchObject({ latency_ns: 1_000_000, longest_ns: 1_000_000 });
  });

  it('end in whole microseconds, rounded down', () => {
    expect(endUs({ start_us: 10, start_rest_ns: 999, duration_ns: 1_000 })).toBe(11);
    expect(endUs({ start_us: 10, start_rest_ns: 999, duration_ns: 1_001 })).toBe(12);
    expect(endUs({ start_us: 10, start_rest_ns: 0, duration_ns: 0 })).toBe(10);
  });
});

describe('names, users and payloads', () => {
  it('take the trace name of the earliest root that has one, else the name of the root', () => {
    const root = aSpan('root', { name: 1, start_us: 1 });
    expect(rollUp([root, aSpan('child', { parent_id: 'root', trace_name: 9 })]).name).toBe(1);
    expect(rollUp([root, aSpan('orphan', { parent_id: 'gone', trace_name: 7, start_us: 5 })]).name).toBe(7);
    expect(rollUp([aSpan('c', { start_us: 9, trace_name: 3 }), root, aSpan('b', { start_us: 8, trace_name: 2 })]).name).toBe(2);
  });

  it('take the first session and user in time', () => {
    const spans = [
      aSpan('late', { start_us: 9, session: 2, user: 5 }),
      aSpan('early', { start_us: 2, user: 6 }),
      aSpan('root', { start_us: 1 }),
    ];
    expect(rollUp(spans)).toMatchObject({ session: 2, user: 6 });
  });

  it('show the root’s payload, else the input of the first call and the output of the last, independently', () => {
    const calls = [
      aSpan('g3', { parent_id: 'root', generation: true, start_us: 30, has_input: true }),
      aSpan('g2', { parent_id: 'root', generation: true, start_us: 20, has_input: true, has_output: true }),
      aSpan('tool', { parent_id: 'root', start_us: 5, has_input: true, has_output: true }),
    ];
    expect(rollUp([aSpan('root', { start_us: 1, has_output: true }), ...calls])).toMatchObject({
      input: { span_id: 'g2' },
      output: { span_id: 'root' },
    });
    expect(rollUp([aSpan('root', { start_us: 1, has_input: true }), ...calls])).toMatchObject({
      input: { span_id: 'root' },
      output: { span_id: 'g2' },
    });
    expect(rollUp([aSpan('root')])).toMatchObject({ input: null, output: null });
  });

  it('read the content of the root if it is unknown, and no other', () => {
    const readIds: string[] = [];
    const spans = [
      aSpan('orphan', { parent_id: 'gone', start_us: 1, has_input: null, has_output: null }),
      aSpan('child', { parent_id: 'orphan', has_input: null, has_output: null }),
    ];
    const rollup = rollUp(spans, (span, side) => {
      readIds.push(`${side} of ${span.span_id}`);
      return true;
    });
    expect(readIds).toEqual(['input of orphan', 'output of orphan']);
    expect(rollup.input?.span_id).toBe('orphan');
  });

  it('read the input of calls from the first, and the output from the last, until one has some', () => {
    const readIds: string[] = [];
    const calls = ['g1', 'g2', 'g3', 'g4', 'g5'].map((id, at) =>
      aSpan(id, { parent_id: 'root', generation: true, start_us: 10 + at, has_input: null, has_output: null }),
    );
    const rollup = rollUp([aSpan('root', { start_us: 1 }), ...calls], (span, side) => {
      readIds.push(`${side} of ${span.span_id}`);
      return span.span_id !== (side === 'input' ? 'g1' : 'g5');
    });
    expect(readIds).toEqual(['input of g1', 'input of g2', 'output of g5', 'output of g4']);
    expect([rollup.input?.span_id, rollup.output?.span_id]).toEqual(['g2', 'g4']);
  });
});

describe('for any order of arrival', () => {
  const ids = Array.from({ length: 12 }, (_, index) => `s${index}`);
  const amount = fc.option(fc.double({ min: 0, max: 500, noNaN: true, noDefaultInfinity: true }));
  const count = fc.option(fc.nat(1_000_000));
  const treeSpan = fc.record({
    span_id: fc.constantFrom(...ids),
    parent_id: fc.option(fc.constantFrom(...ids, 'gone')),
    start_us: fc.nat(3),
    start_rest_ns: fc.nat(2),
    duration_ns: fc.nat(5_000),
    status: fc.constantFrom<TreeSpan['status']>(0, 1, 2),
    generation: fc.boolean(),
    placeholder: fc.boolean(),
    has_input: fc.boolean(),
    has_output: fc.boolean(),
    cost: amount,
    tokens: count,
    session: fc.nat(2),
    trace_name: fc.nat(2),
  });
  const spanForest = fc.uniqueArray(treeSpan, { selector: ({ span_id }) => span_id, minLength: 1 });

  it('the same spans, cycles and orphans included, give the same result', () => {
    const shuffled = spanForest.chain((spans) => fc.tuple(fc.constant(spans), fc.shuffledSubarray(spans, { minLength: spans.length })));
    fc.assert(
      fc.property(shuffled, ([spans, others]) => {
        const rollUpOf = (list: typeof spans) => {
          const tree = new TraceTree<number, number>();
          for (const span of list) tree.put({ ...plain, ...span, row: ids.indexOf(span.span_id) });
          return tree.rollUp(expectNoRead);
        };
        expect(rollUpOf(others)).toEqual(rollUpOf(spans));
      }),
      { numRuns: propertyRuns(1_000) },
    );
  });

  it('no span is lost and none counts twice', () => {
    fc.assert(
      fc.property(spanForest, (spans) => {
        const visible = spans.filter(({ placeholder }) => !placeholder);
        fc.pre(visible.length > 0);
        const { cost, tokens, span_count } = rollUp(spans.map((span) => aSpan(span.span_id, span)));
        const sum = (valueOfSpan: (span: (typeof spans)[number]) => number | null) =>
          visible.reduce((total, span) => total + (valueOfSpan(span) ?? 0), 0);
        const most = (valueOfSpan: (span: (typeof spans)[number]) => number | null) =>
          Math.max(...visible.map((span) => valueOfSpan(span) ?? 0));
        expect(span_count).toBe(visible.length);
        expect(tokens).toBeLessThanOrEqual(sum((span) => span.tokens));
        expect(tokens).toBeGreaterThanOrEqual(most((span) => span.tokens));
        expect(cost).toBeLessThanOrEqual(sum((span) => span.cost) + 1e-9);
        expect(cost).toBeGreaterThanOrEqual(most((span) => span.cost) - 1e-9);
      }),
      { numRuns: propertyRuns(1_000) },
    );
  });

  it('spans have a single order in time', () => {
    const spans = [aSpan('b'), aSpan('c', { start_us: 1 }), aSpan('a'), aSpan('d', { start_rest_ns: 1 })];
    expect(spans.sort(byTime).map(({ span_id }) => span_id)).toEqual(['c', 'a', 'b', 'd']);
  });
});

import { describe, expect, it } from 'vitest';
import type { FactKind } from '../../../shared/contract/tracing/comparison-terms.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { type RunFact, runFacts } from './run-facts.ts';
import type { RunSpan } from './run-span.ts';
import { runSteps } from './run-steps.ts';
import { separatingFacts } from './separating-facts.ts';
import type { SpanFact } from './span-facts.ts';

/** Uniform numbers that are the same in each test run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const planted = [
  'step',
  'tool',
  'model',
  'setting',
  'tools',
  'prompt',
  'argument',
  'result',
  'order',
  'error',
] as const satisfies FactKind[];

interface Recorded {
  spans: RunSpan[];
  facts: Map<string, SpanFact[]>;
}

const fact = (kind: FactKind, field: string, value: string): SpanFact => ({ kind, field, value, id: value });

/**
 * A run of an agent that calls a model and tools in turn: some tools are left out, most arguments and results differ, some calls fail.
 * @param kind what the run has besides, null for nothing
 */
function aRun(next: () => number, kind: FactKind | null, isFailed: boolean): Recorded {
  const recorded: Recorded = { spans: [], facts: new Map() };
  const { spans, facts } = recorded;
  const oneOf = (...values: string[]) => values[Math.floor(next() * values.length)] as string;
  const add = (span: Pick<RunSpan, 'kind' | 'name'> & Partial<RunSpan>, known: SpanFact[]) => {
    const id = String(spans.length);
    spans.push({
      ...{ id, parentId: '0', text: { input: '', output: '' }, startMs: spans.length * 10, durationMs: 5, tokens: 0, cost: 0 },
      ...{ isFailed: false, isRunning: false, given: { arguments: id }, results: {} },
      ...span,
    });
    facts.set(id, known);
  };
  const call = (isPlanted: boolean) => {
    const had = (planting: FactKind, value: string, usual: string) => (isPlanted && kind === planting ? value : usual);
    add({ kind: 'llm', name: 'gpt-4o' }, [
      fact('model', '', had('model', 'gpt-4o-mini', 'gpt-4o')),
      fact('setting', 'temperature', had('setting', '1', '0')),
      fact('setting', 'seed', oneOf('1', '2')),
      fact('prompt', 'refund', had('prompt', '15', '14')),
      ...['lookup_order', 'issue_refund', ...(isPlanted && kind === 'tools' ? ['close_order'] : [])].map((name) => fact('tools', name, '')),
      fact('result', 'finish_reason', oneOf('stop', 'tool_calls')),
    ]);
  };
  const tool = (name: string, isPlanted = false) => {
    const fails = isPlanted && kind === 'error' ? true : next() < 0.1 && !(isPlanted && kind === 'result');
    add({ kind: 'tool', name, isFailed: fails }, [
      fact('argument', 'order', String(Math.floor(next() * 1000))),
      fact('argument', 'region', isPlanted && kind === 'argument' ? 'us' : oneOf('eu', 'uk')),
      fails
        ? fact('error', '', isPlanted && kind === 'error' ? 'The window is closed' : oneOf('‹n›', 'timeout'))
        : fact('result', 'window', isPlanted && kind === 'result' ? 'closed' : oneOf('open', 'unknown')),
    ]);
  };
  const root = { kind: 'agent', name: 'refund-agent', parentId: null, durationMs: 10_000 } as const;
  add(root, [fact('argument', '', oneOf('a', 'b', 'c')), isFailed ? fact('error', '', 'failed') : fact('result', '', 'done')]);
  call(false);
  const pair = ['get_customer', 'search_handbook'];
  if (kind === 'order') pair.reverse();
  for (const name of pair) tool(name);
  call(true);
  if (kind === 'step') add({ kind: 'retrieval', name: 'vector_search' }, []);
  for (const name of ['convert', 'translate', 'log_note']) if (next() < 0.5) tool(name);
  tool('lookup_order', true);
  if (kind === 'tool') tool('close_order');
  call(false);
  tool('issue_refund');
  return recorded;
}

const factsOf = ({ spans, facts }: Recorded) => runFacts(runSteps(spans), (id) => facts.get(id) ?? []);

/** Failed runs that have the planted fact, but for one in twenty, and good runs that have it in one of twenty. */
function groups(kind: FactKind, seed: number): [Map<string, RunFact>[], Map<string, RunFact>[]] {
  const next = random(seed);
  const group = (share: number, isFailed: boolean) =>
    Array.from({ length: 10 + Math.floor(next() * 11) }, () => factsOf(aRun(next, next() < share ? kind : null, isFailed)));
  return [group(0.95, true), group(0.05, false)];
}

const expected: Record<(typeof planted)[number], string> = {
  step: 'step vector_search  ',
  tool: 'tool close_order  ',
  model: 'model   gpt-4o-mini',
  setting: 'setting  temperature 1',
  tools: 'tools  close_order ',
  prompt: 'prompt  refund 15',
  argument: 'argument lookup_order region us',
  result: 'result lookup_order window closed',
  order: 'order get_customer search_handbook ',
  error: 'error lookup_order  The window is closed',
};
const spelled = ({ kind, name, field, value }: RunFact) => [kind, name, field, value].join(' ');

/** Where both groups have a fact and its opposite, either of them names what separates them. */
const opposite: Partial<Record<FactKind, string[]>> = {
  model: ['model   gpt-4o'],
  order: ['order search_handbook get_customer '],
};

describe('the fact that separates two groups best', () => {
  it.each(planted)('is the planted one in at least 98 of 100 groups: %s', (kind) => {
    const seeds = Array.from({ length: propertyRuns(100) }, (_, seed) => seed);
    const named = seeds.map((seed) => separatingFacts(...groups(kind, seed)).facts[0]?.fact);
    const accepted = [expected[kind], ...(opposite[kind] ?? [])];
    const others = named.filter((found) => !found || !accepted.includes(spelled(found))).map((found) => found && spelled(found));
    expect(others.length / seeds.length, others.join('\n')).toBeLessThanOrEqual(0.02);
  });

  it('is named with the runs and spans that show it', () => {
    const next = random(1);
    const [bad, good] = [
      [aRun(next, 'tool', true), aRun(next, null, true), aRun(next, 'tool', true)],
      [aRun(next, null, false), aRun(next, null, false)],
    ];
    const { facts } = separatingFacts(bad.map(factsOf), good.map(factsOf));
    const found = facts.find(({ fact: each }) => spelled(each) === expected.tool);
    const shown = (run: Recorded | undefined) => run?.spans.find(({ name }) => name === 'close_order')?.id;
    expect([found?.a, found?.b]).toEqual([[0, 2].map((run) => ({ run, spanId: shown(bad[run]) })), []]);
    expect(found?.separation).toBeCloseTo(2 / 3);
  });

  it('is the cause, where its consequences separate as well, and a step without what only that step has', () => {
    const next = random(2);
    const bad = Array.from({ length: 9 }, () => aRun(next, 'tool', true));
    for (const { spans, facts } of bad) {
      facts.set('0', [fact('error', '', 'The refund was refused')]);
      for (const { id, name } of spans) if (name === 'close_order') facts.get(id)?.push(fact('argument', 'reason', 'broken'));
    }
    const good = Array.from({ length: 9 }, () => aRun(next, null, false));
    const { facts } = separatingFacts(bad.map(factsOf), good.map(factsOf));
    expect(spelled(facts[0]?.fact as RunFact)).toBe(expected.tool);
    const named = facts.map(({ fact: each }) => spelled(each));
    expect(named).toContain('error refund-agent  The refund was refused');
    expect(named).not.toContain('argument close_order reason broken');
  });

  it('ranks the outcome of a run as such also where the span above it was not recorded', () => {
    const { spans, facts } = aRun(random(4), null, false);
    const steps = runSteps(spans.map((span) => (span.id === '0' ? { ...span, parentId: 'elsewhere' } : span)));
    const outcomes = [...runFacts(steps, (id) => facts.get(id) ?? []).values()].filter(({ isOutcome }) => isOutcome);
    expect(outcomes.map(spelled)).toEqual(['result refund-agent  done']);
  });

  it('is none where groups are equal or one is empty', () => {
    const next = random(3);
    const run = factsOf(aRun(next, null, false));
    expect(separatingFacts([run, run], [run]).facts).toEqual([]);
    expect(separatingFacts([run], []).facts).toEqual([]);
    expect(separatingFacts([], [])).toEqual({ facts: [], compared: 0 });
  });
});
